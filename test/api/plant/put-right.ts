import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON } from "../../support/clock.ts";
import { createCompany, createGatewayToken, createUser } from "../../support/factories.ts";
import { configureMachine, countAt, flushMachine, ingest } from "../../support/machines.ts";

export const START = NOON - 6 * DAY;
export const iso = (at: number) => new Date(at).toISOString();
const everyDay = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

export interface Wrong {
  timezone?: string;
  factor?: number;
  /** When the machine is commissioned; default: at START. Its events before are refused. */
  commissionedAt?: number;
  /** The standard that the machine has of a SKU of its own. */
  ofMachine?: number;
  limits?: object;
  standards?: object[];
  early?: object;
  late?: object;
}

export const right = {
  limits: { stopAfterSeconds: 900, noDataAfterSeconds: 7200, standardCycleSeconds: 90 },
  standards: [{ machineId: null, standardCycleSeconds: 100 }],
  early: { start: "06:00", end: "14:00", breaks: [{ name: "Lunch", start: "10:00", end: "10:30" }] },
  late: { start: "14:00", end: "22:00" },
};

export const channels = [
  { channel: 1, type: "total" },
  { channel: 2, type: "defect" },
];

/** A plant in which something is wrong from the start, with six days of counts. */
export async function newPlant(wrong: Wrong = {}) {
  const { companyId } = await createCompany(wrong.timezone ? { timezone: wrong.timezone } : {});
  const { token } = await createUser(companyId, "admin");
  const ask = async (method: string, path: string, body?: unknown) => await call(method, path, { token, body });
  const make = async (path: string, body: object) => {
    const answer = await ask("POST", path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body as { id: number; nodeId: number };
  };
  const commissionedAt = iso(wrong.commissionedAt ?? START);
  const machine = await make("/v1/machines", {
    name: "Press",
    ref: "P",
    nodeId: 7,
    commissionedAt,
    ...right.limits,
    ...wrong.limits,
  });
  const configs = channels.map((one) => ({ ...one, nodeId: 7, countingFactor: wrong.factor ?? 1 }));
  const sensors = await ask("PUT", `/v1/machines/${machine.id}/count-sensor`, { isCountEnabled: true, configs });
  expect(sensors.status, JSON.stringify(sensors.body)).toBe(200);
  await make("/v1/skus", { id: "A", name: "A", standards: wrong.standards ?? right.standards });
  await make("/v1/skus", {
    id: "B",
    name: "B",
    standards: [{ machineId: machine.id, standardCycleSeconds: wrong.ofMachine ?? 60 }],
  });
  const early = await make("/v1/shifts", { name: "Early", days: everyDay, ...right.early, ...wrong.early });
  const late = await make("/v1/shifts", { name: "Late", days: everyDay, ...right.late, ...wrong.late });
  await configureMachine(machine.id);
  const gateway = (await createGatewayToken(companyId)).token;
  const skus = Array.from({ length: 12 }, (_, i) => {
    return { type: "sku", at: iso(START + i * 11 * HOUR), machineId: machine.id, skuId: i % 2 ? "B" : "A", id: `s${i}` };
  });
  const minutes = Array.from({ length: (6 * 24 * 60) / 4 }, (_, i) => 4 * i).filter((minute) => minute % 700 > 50);
  const counts = minutes.map((minute) =>
    countAt(7, START + minute * MINUTE, minute % 5, { id: `c${minute}`, channel: minute % 36 === 0 ? 2 : 1 }),
  );
  /** Sends all events. */
  const send = async () => {
    for (let i = 0; i < counts.length; i += 900) await ingest(gateway, [...(i === 0 ? skus : []), ...counts.slice(i, i + 900)]);
    await flushMachine(machine.id);
  };
  await send();
  const settle = async () => {
    await configureMachine(machine.id);
    await flushMachine(machine.id);
  };
  const count = async (from: number, to: number) => {
    const times = Array.from({ length: (to - from) / MINUTE / 2 }, (_, i) => from + 2 * i * MINUTE);
    await ingest(
      gateway,
      times.map((at) => countAt(7, at, 1, { id: `n${at}` })),
    );
  };
  return { companyId, ask, machine, early, late, settle, send, count, numbers: () => numbersOf(companyId) };
}

type Row = Record<string, unknown>;

/** What reports are made of: the rows of a company's shifts, parts and stops that are not deleted. */
async function numbersOf(companyId: number) {
  const read = async (sql: string) => (await env.DB_0.prepare(sql).bind(companyId).all<Row>()).results;
  const records = await read("SELECT * FROM shift_records WHERE company_id = ? ORDER BY start_at");
  const parts = await read(
    "SELECT * FROM shift_parts WHERE machine_id IN (SELECT id FROM machines WHERE company_id = ?) ORDER BY start_at",
  );
  const stops = await read(
    "SELECT * FROM stops WHERE machine_id IN (SELECT id FROM machines WHERE company_id = ?) ORDER BY slice_start",
  );
  const own = /^(id|company_id|machine_id|shift_id|revision|(created|updated|recorded)_(at|after_ms)|recent_.*)$/;
  const plain = (rows: Row[]) => rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !own.test(name))));
  // The running shift is as of an instant of its own.
  const isOver = (row: Row) => Number(row.shift_end ?? row.end_at) <= Date.now();
  return {
    records: plain(records.filter(isOver)),
    parts: plain(parts.filter(isOver)),
    stops: plain(stops.filter((row) => isOver(row) && row.deleted_at === null)),
  };
}
