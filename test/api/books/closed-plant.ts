import { env } from "cloudflare:workers";
import { call } from "../../support/call.ts";
import { HOUR, MINUTE, NOON } from "../../support/clock.ts";
import { createOperator, createSku, createStopCause, createUser } from "../../support/factories.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf, stopsOf } from "../../support/machines.ts";

export const START = NOON - 72 * HOUR;
/** Up to when the books are closed: between two shifts. */
export const TO = NOON - 36 * HOUR;
export const iso = (at: number) => new Date(at).toISOString();

/** A company with a machine that made something each four minutes for three days, with a stop of 30 minutes every six hours, and one across `TO`. */
export async function plant() {
  const line = await createLine({
    commissionedAt: START,
    noDataAfterSeconds: null,
    stopAfterSeconds: 600,
    standardCycleSeconds: 10,
  });
  const { id: machineId, nodeId } = line.machine;
  const { companyId } = line;
  const isStopped = (at: number) => (at - START) % (6 * HOUR) < 30 * MINUTE || Math.abs(at - TO) <= 20 * MINUTE;
  const times = Array.from({ length: 72 * 15 }, (_, i) => START + i * 4 * MINUTE).filter((at) => !isStopped(at));
  await ingest(
    line.token,
    times.slice(0, 900).map((at) => countAt(nodeId, at, 1, { id: `c${at}` })),
  );
  await ingest(
    line.token,
    times.slice(900).map((at) => countAt(nodeId, at, 1, { id: `c${at}` })),
  );
  await flushMachine(machineId);
  const { token, userId } = await createUser(companyId, "admin");
  const send = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
    call(method as "GET", path, { token, ...(body && { body }), ...(headers && { headers }) });
  return {
    ...line,
    machineId,
    nodeId,
    gateway: line.token,
    token,
    userId,
    send,
    close: (body: object = {}) => send("POST", "/v1/books/closings", { to: iso(TO), force: true, reason: "Reported", ...body }),
    reopen: (id: number) => send("POST", `/v1/books/closings/${id}/reopen`, { reason: "A mistake" }),
    get: async (id: number) => (await send("GET", `/v1/books/closings/${id}`)).body,
    held: async () => (await send("GET", "/v1/held-events")).body.data,
    /** All rows of shifts that ended at or before `to`, as D1 has them. */
    locked: (to = TO) => lockedRows(machineId, to),
    sku: () => createSku(companyId),
    operator: () => createOperator(companyId),
    cause: () => createStopCause(companyId),
  };
}

export async function lockedRows(machineId: number, to = TO) {
  const all = async (query: string) => (await env.DB_0.prepare(query).bind(machineId, to).all()).results;
  const records = (await recordsOf(machineId)).filter(({ endAt }) => endAt <= to);
  const stops = (await stopsOf(machineId)).filter(({ shiftEnd }) => (shiftEnd ?? 0) <= to);
  const parts = await all("select * from shift_parts where machine_id = ? and shift_end <= ? order by start_at");
  const operators = await all(
    "select * from operator_shifts where machine_id = ? and shift_end <= ? order by shift_start, operator_id",
  );
  const runs = await all("select * from order_runs where machine_id = ? and end_at <= ? order by start_at");
  return withoutStamps({ records, stops, parts, operators, runs });
}

/** Rows without what a repeated flush changes. */
function withoutStamps(rows: Record<string, readonly object[]>) {
  const stamp = /^(revision|recorded.*|updated.*)$/;
  const strip = (row: object) => Object.fromEntries(Object.entries(row).filter(([name]) => !stamp.test(name)));
  return Object.fromEntries(Object.entries(rows).map(([name, list]) => [name, list.map(strip)]));
}
