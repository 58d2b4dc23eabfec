import { describe, expect, it, vi } from "vitest";
import { auditEntries } from "../../support/audit.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createApiToken, createCompany, createMachine, createStopCause, createUser } from "../../support/factories.ts";
import { configureMachine, countAt, createLine, flushMachine, ingest } from "../../support/machines.ts";

stopClockAtNoon();

const iso = (at: number) => new Date(at).toISOString();
const START = NOON - 4 * DAY - 12 * HOUR;

/** A machine with a 24 h shift that stood for an hour, four days ago, for a cause, and has run since; and who acts on that. */
async function createLosing() {
  const line = await createLine({
    standardCycleSeconds: 60,
    commissionedAt: START,
    stopAfterSeconds: 120,
    noDataAfterSeconds: null,
  });
  const { machine, companyId, token: gateway } = line;
  const owner = await createUser(companyId, "user");
  const { token } = await createApiToken({ ...owner, companyId, role: "user" });
  const { causeId } = await createStopCause(companyId);
  await configureMachine(machine.id);
  const run = async (from: number, until: number) => {
    const counts = Array.from({ length: (until - from) / MINUTE + 1 }, (_, i) => countAt(machine.nodeId, from + i * MINUTE));
    for (let i = 0; i < counts.length; i += 1000) await ingest(gateway, counts.slice(i, i + 1000));
    await flushMachine(machine.id);
  };
  await run(START, START + 6 * HOUR);
  await run(START + 7 * HOUR, NOON);
  const { data } = (await call("GET", `/v1/stops?machineIds=${machine.id}&isOpen=false`, { token })).body;
  const classified = await call("PUT", `/v1/stops/${data[0].id}/classification`, { token, body: { generalCauseId: causeId } });
  expect(classified.status, JSON.stringify(classified.body)).toBe(200);
  const of = { loss: "cause", generalCauseId: causeId, machineId: machine.id, from: iso(START), to: iso(START + DAY) };
  const said = { measure: "A new sensor", ownerId: owner.userId, dueOn: "2040-05-17" };
  const create = (body: object = {}, headers: Record<string, string> = {}) =>
    call("POST", "/v1/actions", { token, body: { ...of, ...said, ...body }, headers });
  const change = (id: number, body: object) => call("PATCH", `/v1/actions/${id}`, { token, body });
  const read = async (id: number) => (await call("GET", `/v1/actions/${id}`, { token })).body;
  return { machine, companyId, owner, token, causeId, run, create, change, read };
}

describe("an action", () => {
  it("has the minutes that its loss had, and says week by week whether they went down", async () => {
    const { machine, companyId, owner, causeId, run, create, change, read } = await createLosing();
    const made = await create();
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const { id } = made.body;
    expect(made.headers.get("location")).toBe(`/v1/actions/${id}`);
    const now = iso(NOON);
    expect(made.body).toMatchObject({
      ...{ companyId, loss: "cause", generalCause: { id: causeId }, specificCause: null, line: null },
      ...{ machine: { id: machine.id, name: machine.name }, minutes: 60, plannedMinutes: 1440, measure: "A new sensor" },
      ...{ owner: { id: owner.userId, name: owner.name }, dueOn: "2040-05-17", isOverdue: false, state: "open", comment: null },
      ...{ endedAt: null, createdAt: now, createdBy: { id: owner.userId } },
    });
    const { effect, ...rest } = await read(id);
    expect(rest).toEqual(made.body);
    expect(effect.before).toMatchObject({ minutes: 60, plannedMinutes: 1440, share: 4.17 });
    expect(effect.since).toBeNull();
    expect(effect.weeks.reduce((sum: number, week: { minutes: number }) => sum + week.minutes, 0)).toBe(60);

    vi.setSystemTime(NOON + HOUR);
    await run(NOON + MINUTE, NOON + HOUR);
    const done = (await change(id, { state: "done", comment: "It is in" })).body;
    expect(done).toMatchObject({ state: "done", comment: "It is in", endedAt: iso(NOON + HOUR) });
    vi.setSystemTime(NOON + 11 * HOUR);
    await run(NOON + HOUR + MINUTE, NOON + 11 * HOUR);
    const { effect: after } = await read(id);
    expect(after.before).toEqual(effect.before);
    expect(after.since).toEqual({
      ...{ from: iso(NOON + HOUR), to: iso(NOON + 11 * HOUR), minutes: 0, plannedMinutes: expect.any(Number), share: 0 },
    });
    expect(after.since.plannedMinutes).toBeGreaterThan(8 * 60);
    // What was seen then does not change with the past.
    const reopened = (await change(id, { state: "open" })).body;
    expect([reopened.endedAt, reopened.minutes]).toEqual([null, 60]);
    expect((await change(id, { state: "dropped" })).body.state).toBe("dropped");
    expect((await read(id)).effect.since).toBeNull();
    const entries = await auditEntries({ companyId, objectId: id });
    expect(entries.filter(({ action }) => action.startsWith("action.")).map(({ action }) => action)).toEqual([
      ...["action.create", "action.change", "action.change", "action.change"],
    ]);
  });

  it("is overdue from the day after its date on, as long as it is open", async () => {
    const { token, create, change, read } = await createLosing();
    const { id } = (await create()).body;
    vi.setSystemTime(NOON + 2 * DAY);
    expect((await read(id)).isOverdue).toBe(true);
    const listed = (await call("GET", "/v1/actions?states=open", { token })).body.data;
    expect(listed).toMatchObject([{ id, isOverdue: true }]);
    expect((await change(id, { state: "done" })).body.isOverdue).toBe(false);
    expect((await call("GET", "/v1/actions?states=open,dropped", { token })).body.data).toEqual([]);
  });

  it("can be about any loss of a machine, as reports have it", async () => {
    const { token, machine, create } = await createLosing();
    const range = `from=${iso(START)}&to=${iso(START + DAY)}&machineIds=${machine.id}`;
    const { total } = (await call("GET", `/v1/summary?groupBy=machine&${range}`, { token })).body;
    const minutesOf = async (loss: string) => (await create({ loss, generalCauseId: null })).body.minutes;
    expect(await minutesOf("speed")).toBe(total.minutesLostByLowSpeed);
    expect(await minutesOf("quality")).toBe(total.minutesLostByLowQuality);
    expect(await minutesOf("noData")).toBe(total.noDataTime);
    expect(await minutesOf("unclassified")).toBe(0);
  });

  it("names only what its company has, and one loss", async () => {
    const { create, change } = await createLosing();
    const other = await createCompany();
    const [machine, { causeId }, user] = [
      await createMachine(other.companyId),
      await createStopCause(other.companyId),
      await createUser(other.companyId, "user"),
    ];
    const pointers = async (body: object, status: number) => {
      const answer = await create(body);
      expectProblem(answer, status);
      return answer.body.errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    expect(await pointers({ machineId: machine.id }, 404)).toEqual(["/machineId"]);
    expect(await pointers({ generalCauseId: causeId }, 404)).toEqual(["/generalCauseId"]);
    expect(await pointers({ ownerId: user.userId }, 404)).toEqual(["/ownerId"]);
    expect(await pointers({ generalCauseId: null }, 400)).toEqual(["/generalCauseId"]);
    expect(await pointers({ loss: "speed" }, 400)).toEqual(["/generalCauseId"]);
    expect(await pointers({ lineId: 1 }, 400)).toEqual(["/lineId"]);
    expect(await pointers({ to: iso(START + 100 * DAY) }, 400)).toEqual(["/to"]);
    expect(await pointers({ to: iso(START) }, 400)).toEqual(["/to"]);
    const { id } = (await create()).body;
    expectProblem(await change(id, { ownerId: user.userId }), 404);
  });

  it("is created once by a request that is repeated with its key", async () => {
    const { token, create } = await createLosing();
    const key = { "idempotency-key": crypto.randomUUID() };
    const [one, again] = [await create({}, key), await create({}, key)];
    expect([one.status, again.status, again.body]).toEqual([201, 201, one.body]);
    expect((await call("GET", "/v1/actions", { token })).body.data).toEqual([one.body]);
  });
});
