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

/** Events with the present names of what they are about, where these are null. One trip to D1, or none if no name is missing. */
export async function withNames<Event extends Pick<StoredEvent, "data">>(
  db: CompanyDb,
  events: readonly Event[],
): Promise<Event[]> {
  const asked = new Map<NamedTable, Set<number | string>>();
  for (const { data } of events) {
    for (const [name, id, table] of namedMembers) {
      const value = data[id];
      if (data[name] !== null || (typeof value !== "number" && typeof value !== "string")) continue;
      asked.set(table, (asked.get(table) ?? new Set()).add(value));
    }
  }
  const tables = [...asked];
  // D1 allows five terms of a UNION.
  const [first, ...others] = tables.map(([table, ids]) => selectNames(db, table, [...ids]));
  const found = first ? await db.batch([first, ...others]) : [];
  const nameOf = new Map(found.flatMap((rows, i) => rows.map(({ id, name }) => [`${tables[i]?.[0]} ${id}`, name])));
  return events.map((event) => {
    const { data } = event;
    const missing = namedMembers.filter(([name, id]) => data[name] === null && (data[id] ?? null) !== null);
    const names = missing.map(([name, id, table]) => [name, nameOf.get(`${table} ${data[id]}`) ?? null]);
    return names.length === 0 ? event : { ...event, data: { ...data, ...Object.fromEntries(names) } };
  });
}
