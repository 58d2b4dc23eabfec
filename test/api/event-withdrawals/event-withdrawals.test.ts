import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { auditEntries } from "../../support/audit.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createApiToken, createSku, createUser } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { configureMachine, countAt, createLine, flushMachine, ingest, recordsOf, stopsOf } from "../../support/machines.ts";
import { changeState } from "../../support/object-storage.ts";

stopClockAtNoon();

const iso = (at: number) => new Date(at).toISOString();
const GLITCH = 999_999_999;

/** A machine that holds nothing, whatever it counts. Eight days ago and today, it made 60 units, one a minute from 8:00. */
async function createPlant() {
  const options = { commissionedAt: NOON - 12 * DAY, stopAfterSeconds: 120, standardCycleSeconds: 10, holdFactor: null };
  const line = await createLine(options);
  const { machine, companyId, token: gateway } = line;
  const { skuId } = await createSku(companyId);
  const user = await createUser(companyId, "admin");
  // Lasts longer than a login, whatever the clock.
  const { token } = await createApiToken({ ...user, companyId, role: "admin" });
  await configureMachine(machine.id);
  const send = async (...events: object[]) => {
    const sent = await ingest(gateway, events);
    expect(sent.rejected).toEqual([]);
    await flushMachine(machine.id);
    return sent;
  };
  const old = NOON - 8 * DAY - 4 * HOUR;
  for (const start of [old, NOON - 4 * HOUR]) {
    await send(
      { type: "sku", at: iso(start), machineId: machine.id, skuId },
      ...Array.from({ length: 60 }, (_, i) => countAt(machine.nodeId, start + i * MINUTE, 1, { id: `${start}-${i}` })),
    );
  }
  // From now on, these shifts are closed.
  vi.setSystemTime(NOON + 2 * DAY);
  await flushMachine(machine.id);
  const withdraw = async (body: object) => {
    const done = await call("POST", "/v1/event-withdrawals", {
      token,
      body: { machineId: machine.id, from: iso(NOON - 9 * DAY), to: iso(NOON), reason: "A test of the sensor", ...body },
    });
    await flushMachine(machine.id);
    return done;
  };
  const restore = async (id: number) => {
    const done = await call("DELETE", `/v1/event-withdrawals/${id}`, { token });
    await flushMachine(machine.id);
    return done;
  };
  const read = async (path: string) => (await call("GET", `/v1/${path}`, { token })).body;
  const events = async () => {
    const range = `from=${iso(NOON - 9 * DAY)}&to=${iso(NOON)}`;
    const { body } = await call("GET", `/v1/machines/${machine.id}/events?format=ndjson&${range}`, { token });
    const lines = String(body).split("\n").slice(0, -1);
    return lines.map((line): { type: string; value: number | null; isWithdrawn: boolean } => JSON.parse(line));
  };
  return { ...line, old, token, user, send, withdraw, restore, read, events };
}

/** Everything that is made of the events of a machine's closed shifts, without the ids and versions of its rows. */
async function numbersOf(machineId: number, read: (path: string) => Promise<{ data: Record<string, unknown>[] }>) {
  const closed = (await recordsOf(machineId)).filter(({ startAt }) => startAt < NOON);
  const records = closed.map(({ id, revision, createdAt, updatedAt, asOf, ...sums }) => sums);
  const stops = (await stopsOf(machineId)).filter(({ deletedAt, sliceStart }) => deletedAt === null && sliceStart < NOON);
  const range = `from=${iso(NOON - 10 * DAY)}&to=${iso(NOON)}`;
  const rows = (await read(`summary?groupBy=hour,sku&${range}`)).data;
  return { records, stops: stops.map(({ sliceStart, sliceEnd }) => [sliceStart, sliceEnd]), rows };
}

describe("events that are withdrawn", () => {
  it("leave the numbers as if they had never been sent, of today and of an archived day, and restored they count again", async () => {
    const { machine, old, user, send, withdraw, restore, read, events } = await createPlant();
    const clean = await numbersOf(machine.id, read);
    await send(countAt(machine.nodeId, old + 30 * MINUTE + 7, GLITCH), countAt(machine.nodeId, NOON - 3.5 * HOUR + 7, GLITCH));
    const glitched = await numbersOf(machine.id, read);
    expect(glitched.records.reduce((sum, { totalUnits }) => sum + totalUnits, 0)).toBe(120 + 2 * GLITCH);

    const { status, body, headers } = await withdraw({ minValue: 1_000_000 });
    expect([status, headers.get("location")]).toEqual([201, `/v1/event-withdrawals/${body.id}`]);
    expect(body).toEqual({
      ...{ id: body.id, machine: { id: machine.id, name: machine.name }, from: iso(NOON - 9 * DAY), to: iso(NOON) },
      ...{ nodeId: null, channel: null, kinds: null, minValue: 1_000_000, importId: null, ids: null },
      ...{ reason: "A test of the sensor", events: 2, userId: user.userId, createdAt: expect.any(String) },
      ...{ restoredAt: null, restoredBy: null },
    });
    expect(await numbersOf(machine.id, read)).toEqual(clean);
    const marked = (await events()).filter(({ isWithdrawn }) => isWithdrawn);
    expect(marked.map(({ type, value }) => [type, value])).toEqual([
      ["count", GLITCH],
      ["count", GLITCH],
    ]);
    await evictDurableObject(machineObject(env, machine.id));
    expect(await numbersOf(machine.id, read)).toEqual(clean);
    expect((await read("event-withdrawals")).data).toEqual([body]);

    expect((await restore(body.id)).status).toBe(204);
    expect(await numbersOf(machine.id, read)).toEqual(glitched);
    expect((await events()).filter(({ isWithdrawn }) => isWithdrawn)).toEqual([]);
    expect((await read("event-withdrawals")).data).toEqual([]);
    const { restoredAt, restoredBy } = await read(`event-withdrawals/${body.id}`);
    expect([restoredAt, restoredBy]).toEqual([expect.any(String), user.userId]);
    expect((await read("event-withdrawals?includeRestored=true")).data).toHaveLength(1);
    expectProblem(await restore(body.id), 404);
    const actions = (await auditEntries({ objectId: body.id })).map(({ action }) => action);
    expect(actions.sort()).toEqual(["event-withdrawal.create", "event-withdrawal.undo"]);
    const [first] = (await recordsOf(machine.id)).filter(({ startAt, endAt }) => startAt <= old && old < endAt);
    const { data } = await read(`shift-records/${first?.id}/revisions`);
    expect(data.slice(0, 2)).toMatchObject([{ reasons: ["withdrawal"], user: { id: user.userId } }, { reasons: ["withdrawal"] }]);
  });

  it("are out of the reports of the last two days before the answer, and in them again before that of the restoration", async () => {
    const { machine, token, send } = await createPlant();
    const start = NOON + 2 * DAY - 2 * HOUR;
    await send(...Array.from({ length: 5 }, (_, i) => countAt(machine.nodeId, start + i * MINUTE, 1)));
    const units = async () => (await recordsOf(machine.id)).reduce((sum, { totalUnits }) => sum + totalUnits, 0);
    expect(await units()).toBe(125);

    const body = { machineId: machine.id, from: iso(start), to: iso(start + 3 * MINUTE), reason: "A test of the sensor" };
    const { body: made } = await call("POST", "/v1/event-withdrawals", { token, body });
    expect(await units()).toBe(122);
    expect((await call("DELETE", `/v1/event-withdrawals/${made.id}`, { token })).status).toBe(204);
    expect(await units()).toBe(125);
  });

  it("are those that match all that is given", async () => {
    const { machine, old, send, withdraw, restore } = await createPlant();
    const { nodeId } = machine;
    await send(
      countAt(nodeId, NOON - 90 * MINUTE, 5, { id: "a" }),
      countAt(nodeId, NOON - 80 * MINUTE, 2, { id: "b", channel: 2 }),
      { type: "heartbeat", at: iso(NOON - 70 * MINUTE), machineId: machine.id },
    );
    const day = { from: iso(NOON - 6 * HOUR), to: iso(NOON) };
    const count = async (filter: object) => (await withdraw({ ...day, dryRun: true, ...filter })).body;
    expect(await count({})).toEqual({
      isDryRun: true,
      events: 63,
      firstAt: iso(NOON - 4 * HOUR),
      lastAt: iso(NOON - 70 * MINUTE),
    });
    expect(await count({ kinds: ["sku"] })).toMatchObject({ events: 1 });
    expect(await count({ kinds: ["heartbeat"] })).toMatchObject({ events: 1 });
    expect(await count({ nodeId, channel: 2 })).toMatchObject({ events: 1, firstAt: iso(NOON - 80 * MINUTE) });
    expect(await count({ nodeId: nodeId + 1 })).toEqual({ isDryRun: true, events: 0, firstAt: null, lastAt: null });
    expect(await count({ minValue: 2 })).toMatchObject({ events: 2 });
    expect(await count({ minValue: 2, channel: 1 })).toMatchObject({ events: 1 });
    expect(await count({ ids: ["a", "b", `${old}-0`] })).toMatchObject({ events: 2 });
    expect(await count({ importId: 1 })).toMatchObject({ events: 0 });
    expect(await count({ to: iso(NOON - 4 * HOUR + MINUTE) })).toMatchObject({ events: 1 });
    // Nothing of this has changed anything.
    expect((await recordsOf(machine.id)).reduce((sum, { totalUnits }) => sum + totalUnits, 0)).toBe(125);
    // What was withdrawn is not withdrawn twice, and counts again only when nothing withdraws it any more.
    const [one, two] = [(await withdraw({ ...day, minValue: 2 })).body, (await withdraw({ ...day, channel: 1 })).body];
    expect([one.events, two.events]).toEqual([2, 60]);
    await restore(one.id);
    const total = async () => (await recordsOf(machine.id)).reduce((sum, { totalUnits }) => sum + totalUnits, 0);
    expect(await total()).toBe(60);
    await restore(two.id);
    expect(await total()).toBe(125);
  });

  it("are duplicates when they are sent again, and what matches and arrives later counts for nothing, too", async () => {
    const { machine, send, withdraw, restore } = await createPlant();
    const [glitch, later] = [NOON - 90 * MINUTE, NOON - 85 * MINUTE].map((at) => countAt(machine.nodeId, at, GLITCH)) as [
      object,
      object,
    ];
    await send(glitch);
    const { body } = await withdraw({ minValue: 1_000_000 });
    expect(await send(glitch, later)).toMatchObject({ accepted: 1, duplicates: 1 });
    const total = async () => (await recordsOf(machine.id)).reduce((sum, { totalUnits }) => sum + totalUnits, 0);
    expect(await total()).toBe(120);
    await restore(body.id);
    expect(await total()).toBe(120 + 2 * GLITCH);
  });

  it("are withdrawn once for an Idempotency-Key", async () => {
    const { machine, token, send } = await createPlant();
    await send(countAt(machine.nodeId, NOON - 90 * MINUTE, GLITCH));
    const body = { machineId: machine.id, from: iso(NOON - DAY), to: iso(NOON), minValue: 1000, reason: "A glitch" };
    const headers = { "idempotency-key": "once" };
    const first = await call("POST", "/v1/event-withdrawals", { token, body, headers });
    const again = await call("POST", "/v1/event-withdrawals", { token, body, headers });
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it("are refused if there are none, or the time is not one, and change nothing", async () => {
    const { machine, companyId, token, withdraw, read } = await createPlant();
    const before = await numbersOf(machine.id, read);
    const refused = async (body: object, status: number, pointer: string, code: string) => {
      const answer = await withdraw(body);
      expectProblem(answer, status);
      expect(answer.body.errors).toMatchObject([{ pointer, code }]);
    };
    await refused({ minValue: 1000 }, 409, "", "no_match");
    await refused({ to: iso(NOON - 9 * DAY) }, 400, "/to", "not_in_order");
    await refused({ to: iso(NOON + 3 * DAY) }, 400, "/to", "in_future");
    await refused({ from: iso(NOON - 40 * DAY) }, 400, "/from", "range_too_long");
    await refused({ machineId: machine.id + 1_000_000 }, 400, "/machineId", "not_found");
    await runInDurableObject(machineObject(env, machine.id), (_, { storage }) =>
      changeState(storage, { "complete from": NOON - 5 * HOUR }),
    );
    await evictDurableObject(machineObject(env, machine.id));
    const late = await withdraw({});
    expectProblem(late, 409);
    expect(late.body.errors).toMatchObject([{ pointer: "/from", code: "too_late" }]);
    expect(late.body.errors[0].message).toContain(iso(NOON - 5 * HOUR));
    expect(await numbersOf(machine.id, read)).toEqual(before);
    const { token: user } = await createUser(companyId, "user");
    const body = { machineId: machine.id, from: iso(NOON - HOUR), to: iso(NOON), reason: "No" };
    expectProblem(await call("POST", "/v1/event-withdrawals", { token: user, body }), 403);
    const elsewhere = await createPlant();
    expectProblem(await call("POST", "/v1/event-withdrawals", { token: elsewhere.token, body }), 400);
    const { body: own } = await withdraw({ from: iso(NOON - 4.5 * HOUR), to: iso(NOON) });
    expectProblem(await call("DELETE", `/v1/event-withdrawals/${own.id}`, { token: elsewhere.token }), 404);
    expectProblem(await call("GET", `/v1/event-withdrawals/${own.id}`, { token: elsewhere.token }), 404);
    expect((await call("GET", "/v1/event-withdrawals", { token: elsewhere.token })).body.data).toEqual([]);
    expect((await call("GET", `/v1/event-withdrawals/${own.id}`, { token })).status).toBe(200);
  });
});
