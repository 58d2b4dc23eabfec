import { auditEntries } from "../../support/audit.ts";
import { call } from "../../support/call.ts";
import { HOUR, MINUTE } from "../../support/clock.ts";
import { createUser } from "../../support/factories.ts";
import { countAt, createLine, flushMachine, ingest } from "../../support/machines.ts";

/** When the line went into service: with the shift of two days ago. */
export const START = Date.UTC(2040, 4, 15);

export const iso = (at: number) => new Date(at).toISOString();

/** Counts every `stepMs` over [from, to]. */
export function counts(nodeId: number, from: number, to: number, stepMs = MINUTE) {
  return Array.from({ length: Math.floor((to - from) / stepMs) + 1 }, (_, i) => countAt(nodeId, from + i * stepMs));
}

/**
 * A line with one 24 h shift from midnight that ran from START and stopped yesterday from 10:00 to 10:30 and from 20:00 to
 * 20:10, across midnight from 23:40 to 0:20, and today from 11:00; it is 12:00 now. Silence never becomes no data.
 */
export async function createStoppedLine(options: Parameters<typeof createLine>[0] = {}) {
  const line = await createLine({ commissionedAt: START, noDataAfterSeconds: null, standardCycleSeconds: 30, ...options });
  const { companyId, machine, token: gateway } = line;
  const runs = [
    [0, 10 * HOUR],
    [10.5 * HOUR, 20 * HOUR],
    [20 * HOUR + 10 * MINUTE, 24 * HOUR - 20 * MINUTE],
    [24 * HOUR + 20 * MINUTE, 35 * HOUR],
  ];
  const events = runs.flatMap(([from = 0, to = 0]) => counts(machine.nodeId, START + from, START + to));
  for (let i = 0; i < events.length; i += 1000) await ingest(gateway, events.slice(i, i + 1000));
  await flushMachine(machine.id);
  const { token, userId } = await createUser(companyId, "user");
  const superuser = await createUser(companyId, "superuser");
  return { ...line, machineId: machine.id, gateway, token, userId, superuser: superuser.token };
}

type Line = Awaited<ReturnType<typeof createStoppedLine>>;

/** The line's stops as listed, oldest first. */
export async function stopsOf({ token, machineId }: Pick<Line, "token" | "machineId">, query = "") {
  const answer = await call("GET", `/v1/stops?limit=500&machineIds=${machineId}${query}`, { token });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data.toReversed();
}

/** The line's items of operation 1, oldest first. */
export async function metricsOf({ superuser, machineId }: Pick<Line, "superuser" | "machineId">) {
  const body = { machineIds: [machineId], direction: "asc", pageSize: 1000 };
  return (await call("POST", "/v1/public/reports/metrics", { token: superuser, body })).body.metrics;
}

/** The line's items of operation 11, oldest first. */
export async function reportedStopsOf({ superuser, machineId }: Pick<Line, "superuser" | "machineId">) {
  const body = { machineIds: [machineId], direction: "asc", pageSize: 1000 };
  return (await call("POST", "/v1/public/reports/stops", { token: superuser, body })).body.stops;
}

/** The audit of people's actions in the company, in order. */
export async function auditOf({ companyId }: Pick<Line, "companyId">) {
  return await auditEntries({ companyId });
}
