import { describe, expect, it, vi } from "vitest";
import { most } from "../../../src/api/hand-overs/hand-over.ts";
import { auditEntries } from "../../support/audit.ts";
import { call } from "../../support/call.ts";
import { HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createApiToken,
  createCompany,
  createHelpCall,
  createMachine,
  createLine as createPlantLine,
  createShift,
  createShiftRecord,
  createStopSlice,
  createUser,
} from "../../support/factories.ts";
import { configureMachine, countAt, createLine, flushMachine, ingest } from "../../support/machines.ts";
import { overtakenBy } from "../../support/overtaken.ts";

stopClockAtNoon();

const DATE = "2040-05-16";
const START = NOON - 12 * HOUR;

/** A machine with a 24 h shift and a standard of 10 s, that made a unit a minute from 8:00 to 10:00 and has stopped since, and a lead. */
async function createShop() {
  const line = await createLine({
    standardCycleSeconds: 10,
    commissionedAt: START,
    stopAfterSeconds: 120,
    noDataAfterSeconds: null,
  });
  const { machine, companyId, token: gateway } = line;
  const [leaving, next] = [await createUser(companyId, "user"), await createUser(companyId, "user")];
  const tokenOf = async (user: typeof leaving) => (await createApiToken({ ...user, companyId, role: "user" })).token;
  const [token, nextToken] = [await tokenOf(leaving), await tokenOf(next)];
  await configureMachine(machine.id);
  const made = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => countAt(machine.nodeId, from + i * MINUTE));
  await ingest(gateway, made(NOON - 4 * HOUR, 121));
  await flushMachine(machine.id);
  const { data } = (await call("GET", "/v1/shifts", { token })).body;
  const shiftId: number = data[0].id;
  const write = (body: object = {}, headers: Record<string, string> = {}) =>
    call("POST", "/v1/hand-overs", { token, body: { shiftId, date: DATE, ...body }, headers });
  const change = (id: number, body: object) => call("PATCH", `/v1/hand-overs/${id}`, { token, body });
  const acknowledge = (id: number, headers: Record<string, string> = {}) =>
    call("POST", `/v1/hand-overs/${id}/acknowledge`, { token: nextToken, headers });
  const read = async (id: number) => (await call("GET", `/v1/hand-overs/${id}`, { token })).body;
  const figures = async (query = "") =>
    (await call("GET", `/v1/shift-figures?shiftId=${shiftId}&date=${DATE}${query}`, { token })).body;
  return { machine, companyId, gateway, made, leaving, next, token, shiftId, write, change, acknowledge, read, figures };
}

describe("the hand-over of a shift", () => {
  it("has what was said, with the figures of the reports as of now", async () => {
    const { machine, companyId, leaving, token, shiftId, write, read } = await createShop();
    await createHelpCall({ id: machine.id, companyId }, leaving.userId, { message: "Mould leaks" });
    const notes = { safety: null, quality: "Flash on cavity 12", people: null, other: null };
    const answer = await write({ notes, watch: ["Tool back at 16:00"] });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const { id, figures, ...rest } = answer.body;
    expect(answer.headers.get("location")).toBe(`/v1/hand-overs/${id}`);
    const now = new Date(NOON).toISOString();
    expect(rest).toEqual({
      ...{ companyId, line: null, notes, watch: ["Tool back at 16:00"], createdAt: now, updatedAt: now },
      shift: {
        ...{ id: shiftId, name: expect.any(String), date: DATE },
        ...{ startTime: new Date(START).toISOString(), endTime: new Date(START + 24 * HOUR).toISOString() },
      },
      writtenBy: { id: leaving.userId, name: leaving.name },
      ...{ acknowledgedAt: null, acknowledgedBy: null },
    });
    const range = `from=${new Date(START).toISOString()}&to=${new Date(START + 24 * HOUR).toISOString()}`;
    const { total } = (await call("GET", `/v1/summary?groupBy=machine&${range}`, { token })).body;
    const { target, total: made, defects, oee, availability, unavailableTime, noDataTime } = total;
    const all = { target, total: made, defects, oee, availability, unavailableTime, noDataTime };
    expect(figures).toMatchObject({ at: now, isShiftOver: false, all, machineCount: 1, lineCount: 1 });
    expect(made).toBe(121);
    expect(figures.machines).toEqual([{ machine: { id: machine.id, name: machine.name }, line: null, ...all }]);
    expect(figures.lines).toEqual([{ line: null, ...all }]);
    expect(figures.hours.reduce((sum: number, hour: { total: number }) => sum + hour.total, 0)).toBe(121);
    expect(figures.stops[0]).toMatchObject({ machine: { id: machine.id }, hasCause: false, note: null });
    expect(figures.withoutCause.count).toBe(figures.stopCount);
    expect(figures.calls).toMatchObject([{ machine: { id: machine.id }, message: "Mould leaks" }]);
    expect(figures.callCount).toBe(1);
    expect(await read(id)).toEqual(answer.body);
  });

  it("keeps its figures while the shift goes on; each change reads them again, and so does who acknowledges before its end", async () => {
    const { machine, gateway, made, next, write, change, acknowledge, read, figures } = await createShop();
    const { id } = (await write()).body;
    vi.setSystemTime(NOON + HOUR);
    await ingest(gateway, made(NOON, 10));
    await flushMachine(machine.id);
    expect((await read(id)).figures.all.total).toBe(121);
    expect((await figures()).figures.all.total).toBe(131);
    const changed = (await change(id, { watch: ["Roll 4"] })).body;
    expect([changed.figures.all.total, changed.watch, changed.notes.other]).toEqual([131, ["Roll 4"], null]);
    vi.setSystemTime(NOON + 2 * HOUR);
    await ingest(gateway, made(NOON + HOUR, 10));
    await flushMachine(machine.id);
    const taken = (await acknowledge(id)).body;
    expect([taken.figures.all.total, taken.acknowledgedBy]).toEqual([141, { id: next.userId, name: next.name }]);
    // Acknowledged once more, it stays as it is.
    vi.setSystemTime(NOON + 3 * HOUR);
    await ingest(gateway, made(NOON + 2 * HOUR, 10));
    await flushMachine(machine.id);
    expect((await acknowledge(id)).body).toEqual(taken);
    expect(await read(id)).toEqual(taken);
    expectProblem(await change(id, { watch: [] }), 409);
    expect(await read(id)).toEqual(taken);
  });

  it("written after the shift's end keeps its figures when it is acknowledged, whatever has changed of the past", async () => {
    const { machine, token, write, acknowledge, figures } = await createShop();
    vi.setSystemTime(START + 25 * HOUR);
    await flushMachine(machine.id);
    const written = (await write()).body;
    expect(written.figures.isShiftOver).toBe(true);
    const at = new Date(NOON - 3 * HOUR).toISOString();
    const corrected = await call("POST", "/v1/corrections", { token, body: { machineId: machine.id, at, total: 7 } });
    expect(corrected.status).toBe(201);
    await flushMachine(machine.id);
    expect((await figures()).figures.all.total).toBe(128);
    const { figures: taken, acknowledgedAt } = (await acknowledge(written.id)).body;
    expect(taken).toEqual(written.figures);
    expect(Date.parse(acknowledgedAt)).toBeGreaterThanOrEqual(START + 25 * HOUR);
  });

  it("is one for each line, and one for all machines", async () => {
    const { companyId, shiftId, write } = await createShop();
    const { lineId } = await createPlantLine(companyId);
    const pressed = await createMachine(companyId, { lineId });
    const of = { companyId, machineId: pressed.id, shiftId, startAt: START, endAt: START + 24 * HOUR };
    await createShiftRecord(of, { lineId });
    const first = (await write()).body;
    expectProblem(await write(), 409);
    const ofLine = (await write({ lineId })).body;
    expect(ofLine.line).toMatchObject({ id: lineId });
    expect(ofLine.figures.lines).toEqual([]);
    expect(ofLine.figures.all.total).toBe(0);
    expectProblem(await write({ lineId: String(lineId) }), 409);
    expect(first.line).toBeNull();
  });

  it("needs a shift, a line and a date of its company", async () => {
    const { write } = await createShop();
    const other = await createCompany();
    const [{ shiftId }, { lineId }] = [await createShift(other.companyId), await createPlantLine(other.companyId)];
    const pointers = async (body: object, status = 404) => {
      const answer = await write(body);
      expectProblem(answer, status);
      return answer.body.errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    expect(await pointers({ shiftId })).toEqual(["/shiftId"]);
    expect(await pointers({ lineId })).toEqual(["/lineId"]);
    expect(await pointers({ date: "2040-05-20" })).toEqual(["/date"]);
    expect(await pointers({ date: "16.5.2040" }, 400)).toEqual(["/date"]);
    expect(await pointers({ watch: Array(21).fill("x") }, 400)).toEqual(["/watch"]);
  });

  it("is written once however often it is sent, and two leads do not overwrite each other", async () => {
    const { companyId, next, write, change, acknowledge } = await createShop();
    const key = { "idempotency-key": crypto.randomUUID() };
    const [one, again] = [await write({}, key), await write({}, key)];
    expect([one.status, again.status, again.body]).toEqual([201, 201, one.body]);
    const { id, updatedAt } = one.body;
    vi.setSystemTime(NOON + MINUTE);
    expect((await change(id, { watch: ["Roll 4"], updatedAt })).status).toBe(200);
    expectProblem(await change(id, { watch: [], updatedAt }), 409);
    expectProblem(await change(id, {}), 400);
    const repeated = { "idempotency-key": crypto.randomUUID() };
    expect((await acknowledge(id, repeated)).body).toEqual((await acknowledge(id, repeated)).body);
    const entries = await auditEntries({ companyId, objectId: id });
    expect(entries.map(({ action }) => action)).toEqual(["hand-over.create", "hand-over.change", "hand-over.acknowledge"]);
    // What people wrote and who acknowledged it, without the figures.
    expect(entries.flatMap(({ before, after }) => [before, after])).toEqual([
      null,
      expect.objectContaining({ id, watch: [], acknowledgedBy: null, shift: expect.anything(), notes: expect.anything() }),
      expect.objectContaining({ watch: [] }),
      expect.objectContaining({ watch: ["Roll 4"] }),
      expect.objectContaining({ acknowledgedBy: null }),
      expect.objectContaining({ acknowledgedBy: { id: next.userId, name: next.name } }),
    ]);
    expect(JSON.stringify(entries)).not.toContain("figures");
  });

  it("is acknowledged as it is then, if somebody changes it meanwhile", async () => {
    const { token, machine, write, change, read } = await createShop();
    vi.setSystemTime(START + 25 * HOUR);
    await flushMachine(machine.id);
    const { id } = (await write()).body;
    const via = overtakenBy(() => change(id, { watch: ["Roll 4"] }));
    const taken = await call("POST", `/v1/hand-overs/${id}/acknowledge`, { token, via });
    expect([taken.status, taken.body.watch]).toEqual([200, ["Roll 4"]]);
    expect(await read(id)).toEqual(taken.body);
  });

  it("has lists of bounded length, with the number of all beside them", async () => {
    const { companyId, shiftId, machine, leaving, write } = await createShop();
    const name = "x".repeat(100);
    for (let i = 0; i < most.machines + 5; i++) {
      const { id } = await createMachine(companyId, { name: `${name}${i}` });
      await createShiftRecord({ companyId, machineId: id, shiftId, startAt: START, endAt: START + 24 * HOUR });
      if (i < most.calls + 3) await createHelpCall({ id, companyId }, leaving.userId, { message: name });
    }
    for (let i = 0; i < most.stops + 3; i++) {
      const sliceStart = START + i * 10 * MINUTE;
      const of = { companyId, machineId: machine.id, shiftId, shiftStart: START, shiftEnd: START + 24 * HOUR };
      await createStopSlice({ ...of, sliceStart, sliceEnd: sliceStart + 2 * MINUTE });
    }
    const { figures } = (await write()).body;
    const { stops, calls, callCount } = figures;
    expect([stops.length, calls.length, callCount]).toEqual([most.stops, most.calls, most.calls + 3]);
    expect(JSON.stringify(figures).length).toBeLessThan(64 * 1024);
  });
});

describe("the list of hand-overs", () => {
  it("has the newest shift first, without figures, by date, line and whether it is acknowledged", async () => {
    const { companyId, shiftId, machine, token, write, acknowledge } = await createShop();
    const yesterday = "2040-05-15";
    const startAt = START - 24 * HOUR;
    await createShiftRecord({ companyId, machineId: machine.id, shiftId, startAt, endAt: START });
    const older = (await write({ date: yesterday })).body;
    const newer = (await write()).body;
    await acknowledge(older.id);
    const list = async (query: string) => {
      const { data } = (await call("GET", `/v1/hand-overs?${query}`, { token })).body;
      return data.map(({ id }: { id: number }) => id);
    };
    const { figures: _, ...listed } = newer;
    expect((await call("GET", "/v1/hand-overs", { token })).body.data[0]).toEqual(listed);
    expect(await list("")).toEqual([newer.id, older.id]);
    expect(await list("isAcknowledged=true")).toEqual([older.id]);
    expect(await list("isAcknowledged=false")).toEqual([newer.id]);
    expect(await list(`date=${yesterday}`)).toEqual([older.id]);
    expect(await list(`lineIds=0&shiftIds=${shiftId}`)).toEqual([newer.id, older.id]);
    expect(await list(`from=${new Date(START).toISOString()}`)).toEqual([newer.id]);
  });
});
