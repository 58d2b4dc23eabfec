import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { call } from "../../../support/call.ts";
import { HOUR, MINUTE } from "../../../support/clock.ts";
import {
  createChannels,
  createCompany,
  createGatewayToken,
  createMachine,
  createShift,
  createStopCause,
  createUser,
} from "../../../support/factories.ts";
import { machineObject } from "../../../support/machine-object.ts";
import { countAt, flushMachine, ingest, recordsOf, republish, stopsOf } from "../../../support/machines.ts";
import { changeState, stateIn } from "../../../support/object-storage.ts";

// The database has a clock of its own, so these tests are in the present.

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

/** The start of a shift of four hours that ended an hour ago or more. */
const shiftStart = Math.floor(Date.now() / HOUR) * HOUR - 6 * HOUR;

/** A machine whose shift is closed: a count each minute in its first two hours, then a stop. */
async function plant() {
  const { companyId } = await createCompany();
  const { token, userId } = await createUser(companyId, "admin");
  const text = (at: number) => new Date(at).toISOString().slice(11, 16);
  await createShift(companyId, { start: text(shiftStart), end: text(shiftStart + 4 * HOUR) });
  const machine = await createMachine(companyId, { noDataAfterSeconds: null, commissionedAt: shiftStart });
  await createChannels(machine, [{ channel: 1, type: "total" }]);
  const gateway = await createGatewayToken(companyId);
  const count = async (...minutes: number[]) => {
    const sent = await ingest(
      gateway.token,
      minutes.map((i) => countAt(machine.nodeId, shiftStart + i * MINUTE)),
    );
    expect(sent.rejected).toEqual([]);
    await flushMachine(machine.id);
  };
  await count(...Array.from({ length: 121 }, (_, i) => i));
  const [record] = await recordsOf(machine.id);
  if (!record) throw new Error("there is no record");
  const revisions = async () => {
    const list = await call("GET", `/v1/shift-records/${record.id}/revisions`, { token });
    expect(list.status, JSON.stringify(list.body)).toBe(200);
    return list.body.data;
  };
  return { companyId, token, userId, machine, record, count, revisions };
}

const rowsOf = async (table: string, machineId: number) =>
  (await env.DB_0.prepare(`select * from ${table} where machine_id = ?`).bind(machineId).all()).results;

it("a shift that was just closed has no revisions, and nothing of it is kept twice", async () => {
  const { machine, revisions } = await plant();
  expect(await revisions()).toEqual([]);
  for (const table of ["shift_records_history", "shift_parts_history", "stops_history", "operator_shifts_history"])
    expect(await rowsOf(table, machine.id), table).toEqual([]);
});

it("late events make a revision, with what was different before, and what reports said is kept once however often it is sent", async () => {
  const { machine, record, count, revisions } = await plant();
  await count(122, 123);
  const [revision, ...others] = await revisions();
  expect(others).toEqual([]);
  expect(revision).toMatchObject({ number: 1, reasons: ["lateEvents"], user: null, apiTokenId: null, arePartsChanged: true });
  expect(revision.before).toMatchObject({ total: 121, availableTime: 120 });
  expect(revision.after).toMatchObject({ total: 123, availableTime: 123 });
  expect(revision.stops).toMatchObject([{ before: { startTime: new Date(shiftStart + 120 * MINUTE).toISOString() } }]);
  const [former, ...more] = await rowsOf("shift_records_history", machine.id);
  expect(more).toEqual([]);
  expect(former).toMatchObject({ id: record.id, total_units: 121 });
  const [present] = await rowsOf("shift_records", machine.id);
  expect(present?.recorded_at).toBe(former?.replaced_at);
  expect(Date.parse(revision.recordedAt)).toBe(former?.replaced_at);
  expect((await rowsOf("shift_parts_history", machine.id)).length).toBeGreaterThan(0);
  expect(await rowsOf("stops_history", machine.id)).toHaveLength(1);

  const kept = async () => {
    const tables = ["shift_records", "shift_records_history", "shift_parts_history", "stops_history", "shift_revisions"];
    const rows = await Promise.all(tables.map((table) => rowsOf(table, machine.id)));
    return rows.map((of) => of.map(({ revision: _, ...row }) => row));
  };
  const before = await kept();
  await republish(machine.id);
  await flushMachine(machine.id);
  expect(await kept()).toEqual(before);
});

it("a changed cause makes a revision of its own, with the user who changed it", async () => {
  const { companyId, token, userId, machine, revisions } = await plant();
  const cause = await createStopCause(companyId);
  const other = await createStopCause(companyId);
  const [stop] = await stopsOf(machine.id);
  const classify = async (generalCauseId: number) => {
    const done = await call("PUT", `/v1/stops/${stop?.id}/classification`, { token, body: { generalCauseId } });
    expect(done.status, JSON.stringify(done.body)).toBe(200);
  };
  await classify(cause.id);
  await classify(other.id);
  const [second, first, ...more] = await revisions();
  expect(more).toEqual([]);
  expect(first).toMatchObject({ number: 1, reasons: ["edit"], user: { id: userId }, before: { annotatedDowntime: 0 } });
  expect(second).toMatchObject({
    number: 2,
    reasons: ["edit"],
    user: { id: userId },
    before: {},
    after: {},
    arePartsChanged: false,
  });
  expect(second.stops).toMatchObject([{ before: { generalCauseId: cause.id }, after: { generalCauseId: other.id } }]);
  expect(await rowsOf("shift_records_history", machine.id)).toHaveLength(1);
  expect(await rowsOf("stops_history", machine.id)).toHaveLength(2);
});

it("a correction makes a revision of its own, and so does its undo", async () => {
  const { token, userId, machine, revisions } = await plant();
  const at = new Date(shiftStart + 60 * MINUTE).toISOString();
  const { body, status } = await call("POST", "/v1/corrections", { token, body: { machineId: machine.id, at, total: -21 } });
  expect(status, JSON.stringify(body)).toBe(201);
  expect((await call("DELETE", `/v1/corrections/${body.id}`, { token })).status).toBe(204);
  const [second, first, ...more] = await revisions();
  expect(more).toEqual([]);
  expect(first).toMatchObject({ reasons: ["correction"], user: { id: userId }, before: { total: 121 }, after: { total: 100 } });
  expect(second).toMatchObject({ reasons: ["correction"], user: { id: userId }, before: { total: 100 }, after: { total: 121 } });
});

it("a shift record says how often it was revised, also as of an instant", async () => {
  const { token, machine, count, revisions } = await plant();
  const counts = async (query = "") => {
    const list = await call("GET", `/v1/shift-records?machineIds=${machine.id}${query}`, { token });
    return list.body.data.map(({ revisionCount }: { revisionCount: number }) => revisionCount);
  };
  expect(await counts()).toEqual([0]);
  await count(122);
  await count(123);
  expect(await counts()).toEqual([2]);
  const span = `&from=${new Date(shiftStart - HOUR).toISOString()}&to=${new Date().toISOString()}`;
  expect(await counts(`${span}&sort=-oee`)).toEqual([2]);
  const [, first] = await revisions();
  // An instant of the last seconds is refused.
  await env.DB_0.prepare("update shift_revisions set recorded_at = recorded_at - 60000 where machine_id = ? and n = 1")
    .bind(machine.id)
    .run();
  await env.DB_0.prepare("update report_times set known_from = 0").run();
  vi.setSystemTime(Date.now() + MINUTE);
  expect(await counts(`&asOf=${first.recordedAt}`)).toEqual([1]);
});

it("shift.revised carries the reasons", async () => {
  const { token, count, record } = await plant();
  await count(130);
  const events = await call("GET", "/v1/events?types=shift.revised", { token });
  expect(events.body.data).toMatchObject([{ data: { recordId: record.id, reasons: ["lateEvents"] } }]);
});

it("another company finds no revisions", async () => {
  const { record } = await plant();
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  expect((await call("GET", `/v1/shift-records/${record.id}/revisions`, { token })).status).toBe(404);
});

it("what a version wrote that keeps no history is known only since the next flush, and has the time of nothing before", async () => {
  const { companyId, machine, count } = await plant();
  await count(122);
  const [revised] = await rowsOf("shift_records", machine.id);
  // As that version does: it knows neither the columns nor the number of the flush that kept what it replaced.
  await env.DB_0.prepare(
    "update shift_records set total_units = 7, revision = revision + 1, updated_at = updated_at + 5 where id = ?",
  )
    .bind(revised?.id)
    .run();
  await runInDurableObject(machineObject(env, machine.id), (_, { storage }) => {
    const { outbox } = stateIn(storage);
    if (outbox) changeState(storage, { outbox: { ...outbox, revision: outbox.revision + 1 } });
  });
  await evictDurableObject(machineObject(env, machine.id));
  const times = async () =>
    await env.DB_0.prepare("select recorded_at, known_from from report_times where company_id = ?").bind(companyId).first();
  expect(await times()).toMatchObject({ known_from: 0 });
  await count(123);
  const { recorded_at, known_from } = (await times()) as { recorded_at: number; known_from: number };
  expect(known_from).toBeLessThanOrEqual(recorded_at);
  expect(known_from).toBeGreaterThan(Number(revised?.recorded_at));
  // The row that it wrote was in force since nobody knows when.
  const kept = await rowsOf("shift_records_history", machine.id);
  expect(kept).toMatchObject([{ total_units: 121 }, { total_units: 7, recorded_at: null }]);
});
