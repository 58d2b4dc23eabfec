import type { CompanyDb } from "../db/client.ts";
import { type MessageRow, selectMachinesOfIncidents } from "./queries.ts";
import type { AlertParams } from "./texts/kinds.ts";

/** The most machines of a silent gateway that a message names; it counts the others. */
const NAMED = 5;

/**
 * Adds the machines of a silent gateway to messages about it. Only the first of them are known when its incident opens, so they are read when
 * the message is sent. One trip, or none without such a message.
 */
export async function withMachines(db: CompanyDb, rows: readonly MessageRow[]): Promise<MessageRow[]> {
  const ids = new Set(rows.flatMap(({ params }) => alertsIn(params).flatMap((one) => (isOfGateway(one) ? one.incidentId : []))));
  if (ids.size === 0) return [...rows];
  const found = Map.groupBy(await selectMachinesOfIncidents(db, [...ids], NAMED), ({ incidentId }) => incidentId);
  const withOwn = <Params extends object>(params: Params): Params => {
    const machines = isOfGateway(params) ? found.get(params.incidentId) : undefined;
    return machines?.[0]
      ? { ...params, machines: { count: machines[0].count, names: machines.map(({ name }) => name) } }
      : params;
  };
  return rows.map((row) => {
    const { items } = row.params;
    if (!Array.isArray(items)) return { ...row, params: withOwn(row.params) };
    return { ...row, params: { ...row.params, items: items.map((item) => ({ ...item, params: withOwn(item.params) })) } };
  });
}

/** The variables of a message, or of each one in a digest. */
function alertsIn(params: MessageRow["params"]): object[] {
  return Array.isArray(params.items) ? params.items.map((item) => item.params) : [params];
}

function isOfGateway(params: object): params is Pick<AlertParams, "incidentId"> {
  return "nodeId" in params && typeof params.nodeId === "number";
}
