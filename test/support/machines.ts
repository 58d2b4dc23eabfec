import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { asc, eq, getTableColumns } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { vi } from "vitest";
import { machines, shiftRecords, stops } from "../../src/db/schema.ts";
import { call } from "./call.ts";
import { createChannels, createCompany, createGatewayToken, createMachine, createShift } from "./factories.ts";
import { machineObject } from "./machine-object.ts";
import { isAnyWaiting, stateIn } from "./object-storage.ts";

const db = drizzle(env.DB_0);

/** A company with one 24 h shift, a gateway and a machine that counts: channel 1 total, channel 2 defects. */
export async function createLine(options: Parameters<typeof createMachine>[1] = {}) {
  const { companyId } = await createCompany();
  const { shiftId } = await createShift(companyId, { start: "00:00", end: "00:00" });
  const machine = await createMachine(companyId, options);
  await createChannels(machine, [
    { channel: 1, type: "total" },
    { channel: 2, type: "defect" },
  ]);
  const { token } = await createGatewayToken(companyId);
  return { companyId, shiftId, machine, token };
}

/** A count; of channel 1 by default. */
export function countAt(nodeId: number, at: number, value = 1, more: object = {}) {
  return { type: "count", at: new Date(at).toISOString(), nodeId, channel: 1, value, ...more };
}

export async function ingest(token: string, events: object[]) {
  const answer = await call("POST", "/v1/ingest", { token, body: { events } });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body as {
    accepted: number;
    duplicates: number;
    rejected: { index: number; code: string; message: string; isTransient: boolean }[];
    warnings: { machineId: number; code: string; message: string }[];
    now: string;
  };
}

/** Makes the machine's object take over the newest set-up: a request that changes it is answered before all machines are notified. */
export async function configureMachine(machineId: number): Promise<void> {
  const { configVersion } = machines;
  const [row] = await db.select({ configVersion }).from(machines).where(eq(machines.id, machineId));
  await machineObject(env, machineId).configure(row?.configVersion ?? 0);
}

/** Marks all machines as configured: those of other files' tests are not to be configured by this one. */
export async function confirmAllMachines(): Promise<void> {
  await env.DB_0.prepare("update machines set configured_version = config_version").run();
}

/** Runs the machine's alarm now, and makes it send rows that would wait. */
export async function flushMachine(machineId: number): Promise<void> {
  await runInDurableObject(machineObject(env, machineId), async (object, { storage }) => {
    for (let i = 0; i < 50; i++) {
      await object.alarm();
      await object.publish(0);
      const { settled, recalculation } = stateIn(storage);
      if ((settled?.dirtyFrom ?? null) === null && !isAnyWaiting(storage) && !recalculation) return;
      // A recalculation waits for more events.
      if (recalculation && vi.isFakeTimers()) vi.setSystemTime(Date.now() + 11_000);
    }
    throw new Error("the machine does not come to rest");
  });
}

const { recordedAt: _record, recordedAfterMs: _ofRecord, ...recordColumns } = getTableColumns(shiftRecords);
const { recordedAt: _stop, recordedAfterMs: _ofStop, ...sliceColumns } = getTableColumns(stops);

/** The machine's shift records in D1, oldest first, without when the database took them. */
export async function recordsOf(machineId: number) {
  return await db
    .select(recordColumns)
    .from(shiftRecords)
    .where(eq(shiftRecords.machineId, machineId))
    .orderBy(asc(shiftRecords.startAt))
    .all();
}

/** The machine's stop slices in D1 in order, including deleted ones, without when the database took them. */
export async function stopsOf(machineId: number) {
  return await db
    .select(sliceColumns)
    .from(stops)
    .where(eq(stops.machineId, machineId))
    .orderBy(asc(stops.sliceStart), asc(stops.id))
    .all();
}

/** Marks all rows of a machine to be sent again, as `npm run admin -- republish` and the sweep do. The next flush sends them. */
export async function republish(machineId: number) {
  const raise = `update machines set config_version = max(config_version + 1, unixepoch()), configured_version = 0 where id = ?
    returning config_version as configVersion`;
  await env.DB_0.prepare(raise).bind(machineId).run();
  // The sweep itself takes machines in random order, including those that other tests left.
  await configureMachine(machineId);
}
