import type { CompanyDb } from "../db/client.ts";
import type { StoredEvent } from "./event.ts";
import { type NamedTable, selectNames } from "./queries.ts";

/** The members with names, the members with the ids that they belong to, and the tables of these. */
const namedMembers: readonly [name: string, id: string, table: NamedTable][] = [
  ["machineName", "machineId", "machines"],
  ["lineName", "lineId", "lines"],
  ["shiftName", "shiftId", "shifts"],
  ["operatorName", "operatorId", "operators"],
  ["generalCauseName", "generalCauseId", "stopCauses"],
  ["specificCauseName", "specificCauseId", "stopCauses"],
  ["componentName", "componentId", "stopCauses"],
  ["ruleName", "ruleId", "alertRules"],
  ["userName", "userId", "users"],
];

/** Names that were read, by table and id; null: there is none. */
export type KnownNames = Map<string, string | null>;

/**
 * Events with the present names of what they are about, where these are null. One trip to D1, or none if no name is missing.
 * @param known the names that earlier calls have read. This call adds the names that it reads
 */
export async function withNames<Event extends Pick<StoredEvent, "data">>(
  db: CompanyDb,
  events: readonly Event[],
  known: KnownNames = new Map(),
): Promise<Event[]> {
  const asked = new Map<NamedTable, Set<number | string>>();
  for (const { data } of events) {
    for (const [name, id, table] of namedMembers) {
      const value = data[id];
      if (data[name] !== null || (typeof value !== "number" && typeof value !== "string")) continue;
      if (known.has(`${table} ${value}`)) continue;
      asked.set(table, (asked.get(table) ?? new Set()).add(value));
    }
  }
  const tables = [...asked];
  // D1 allows five terms of a UNION.
  const [first, ...others] = tables.map(([table, ids]) => selectNames(db, table, [...ids]));
  const found = first ? await db.batch([first, ...others]) : [];
  for (const [table, ids] of tables) for (const id of ids) known.set(`${table} ${id}`, null);
  for (const [i, rows] of found.entries()) for (const { id, name } of rows) known.set(`${tables[i]?.[0]} ${id}`, name);
  return events.map((event) => {
    const { data } = event;
    const missing = namedMembers.filter(([name, id]) => data[name] === null && (data[id] ?? null) !== null);
    const names = missing.map(([name, id, table]) => [name, known.get(`${table} ${data[id]}`) ?? null]);
    return names.length === 0 ? event : { ...event, data: { ...data, ...Object.fromEntries(names) } };
  });
}
