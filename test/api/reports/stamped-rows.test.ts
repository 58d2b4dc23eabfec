import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import {
  createChannels,
  createCompany,
  createGatewayToken,
  createLine,
  createMachine,
  createOperator,
  createShift,
  createUser,
} from "../../support/factories.ts";
import { configureMachine, countAt, flushMachine, ingest, recordsOf } from "../../support/machines.ts";

stopClockAtNoon();

const SHIFT_START = NOON - 6 * HOUR;

/** A machine in line A, whose shift from 06:00 to 10:00 is over: three hours of counts of 1 a minute, an hour of stop before the last. */
async function plant() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  const [a, b] = [await createLine(companyId, { name: "A" }), await createLine(companyId, { name: "B" })];
  await createShift(companyId, { start: "06:00", end: "10:00" });
  const machine = await createMachine(companyId, {
    lineId: a.id,
    hourlyRate: 60,
    noDataAfterSeconds: null,
    commissionedAt: SHIFT_START,
  });
  await createChannels(machine, [{ channel: 1, type: "total" }]);
  const { operatorId } = await createOperator(companyId);
  const gateway = await createGatewayToken(companyId);
  const work = async (start: number) => {
    const minutes = Array.from({ length: 240 }, (_, i) => i).filter((i) => i < 120 || i >= 180);
    const signsIn = { type: "operator", at: new Date(start).toISOString(), machineId: machine.id, operatorId, action: "in" };
    const { rejected } = await ingest(gateway.token, [
      signsIn,
      ...minutes.map((i) => countAt(machine.nodeId, start + i * MINUTE)),
    ]);
    expect(rejected).toEqual([]);
    await flushMachine(machine.id);
  };
  await work(SHIFT_START);
  const change = async (body: object) => {
    const changed = await call("PATCH", `/v1/machines/${machine.id}`, { token, body });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    await configureMachine(machine.id);
    await flushMachine(machine.id);
  };
  const ask = async (path: string, query: Record<string, string | number>) => {
    // A token of its own, because one does not last as long as this story.
    const { token } = await createUser(companyId, "admin");
    const range = { from: new Date(NOON - DAY).toISOString(), to: new Date(NOON + 2 * DAY).toISOString() };
    const asked = await call("GET", `/v1/${path}?${new URLSearchParams({ ...range, ...query } as Record<string, string>)}`, {
      token,
    });
    expect(asked.status, JSON.stringify(asked.body)).toBe(200);
    return asked.body;
  };
  return { companyId, token, gateway, machine, a, b, work, change, ask };
}

type Named = { line: { name: string } | null };

/** What each report says of the lines: names of the rows, and sums by line. */
async function reported({ a, b, ask }: Awaited<ReturnType<typeof plant>>) {
  const units = async (query: Record<string, string | number>) =>
    (await ask("summary", { groupBy: "machine", ...query })).total.total;
  const stopped = async (query: Record<string, string | number>) => (await ask("summary", { groupBy: "cause", ...query })).data;
  const byLine = (await ask("summary", { groupBy: "line" })).data as (Named & { total: number })[];
  const byOperator = (await ask("summary", { groupBy: "operator,line" })).data as (Named & { total: number })[];
  const made = (await ask("production", { interval: "hour" })).data as (Named & { total: number })[];
  const names = (rows: Named[]) => rows.map(({ line }) => line?.name ?? null);
  return {
    units: [await units({ lineIds: a.id }), await units({ lineIds: b.id }), await units({})],
    byLine: byLine.map(({ line, total }) => [line?.name ?? null, total]),
    byOperator: byOperator.map(({ line, total }) => [line?.name ?? null, total]),
    causes: [(await stopped({ lineIds: a.id })).length, (await stopped({ lineIds: b.id })).length],
    records: names((await ask("shift-records", { sort: "start" })).data),
    recordsOfA: names((await ask("shift-records", { sort: "start", lineIds: a.id })).data),
    recordsByOee: names((await ask("shift-records", { sort: "oee", lineIds: b.id })).data),
    stops: names((await ask("stop-records", { sort: "start", lineIds: a.id })).data),
    hours: made.map(({ line, total }) => [line?.name ?? null, total]).filter(([, total]) => total),
    shifts: names((await ask("production", { interval: "shift", lineIds: a.id })).data),
  };
}

const inA = {
  units: [180, 0, 180],
  byLine: [["A", 180]],
  byOperator: [["A", 180]],
  causes: [1, 0],
  records: ["A"],
  recordsOfA: ["A"],
  recordsByOee: [],
  stops: ["A", "A"],
  hours: [60, 60, 60].map((units) => ["A", units]),
  shifts: ["A"],
};

it("a machine that is moved leaves its closed shifts in the line that it had, and its later ones are in the new line", async () => {
  const own = await plant();
  expect(await reported(own)).toEqual(inA);
  await own.change({ lineId: own.b.id, hourlyRate: 600 });
  expect(await reported(own)).toEqual(inA);
  // A late count has the shift computed again.
  await ingest(own.gateway.token, [countAt(own.machine.nodeId, SHIFT_START + 150 * MINUTE)]);
  await flushMachine(own.machine.id);
  expect(await reported(own)).toMatchObject({ units: [181, 0, 181], byLine: [["A", 181]], records: ["A"] });
  vi.setSystemTime(NOON + DAY);
  await own.work(SHIFT_START + DAY);
  const after = await reported(own);
  expect(after).toMatchObject({
    units: [181, 180, 361],
    byLine: [
      ["A", 181],
      ["B", 180],
    ],
    byOperator: [
      ["A", 181],
      ["B", 180],
    ],
    causes: [1, 1],
    records: ["A", "B"],
    recordsOfA: ["A"],
    recordsByOee: ["B"],
    shifts: ["A"],
  });
  expect(new Set(after.stops)).toEqual(new Set(["A"]));
  expect((await recordsOf(own.machine.id)).map(({ hourlyRate }) => hourlyRate)).toEqual([60, 600]);
});

it("rows of a version that knew no line belong to the line that their machine had when rows were first stamped", async () => {
  const own = await plant();
  const forget = (table: string) =>
    env.DB_0.prepare(`UPDATE ${table} SET line_id = NULL WHERE machine_id = ?`).bind(own.machine.id).run();
  for (const table of ["shift_records", "shift_parts", "stops", "operator_shifts"]) await forget(table);
  await env.DB_0.prepare("UPDATE machines SET unstamped_line_id = line_id WHERE id = ?").bind(own.machine.id).run();
  await own.change({ lineId: own.b.id });
  expect(await reported(own)).toEqual(inA);
});

it("a machine without events has been in its line from its commissioning on", async () => {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  const { id: lineId } = await createLine(companyId);
  await createShift(companyId, { start: "06:00", end: "10:00" });
  const machine = await createMachine(companyId, { commissionedAt: SHIFT_START });
  await configureMachine(machine.id);
  await flushMachine(machine.id);
  expect((await recordsOf(machine.id)).map((record) => record.lineId)).toEqual([0]);
  await call("PATCH", `/v1/machines/${machine.id}`, { token, body: { lineId } });
  await configureMachine(machine.id);
  await flushMachine(machine.id);
  expect((await recordsOf(machine.id)).map((record) => record.lineId)).toEqual([lineId]);
});
