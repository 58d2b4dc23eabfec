import { and, asc, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { ifBetween, ifInLines, ifListed, inList } from "../../../db/conditions.ts";
import { events, machines } from "../../../db/schema.ts";
import { eventTypeNumbers } from "../../../db/values.ts";
import { hasId } from "../../../events/queries.ts";
import { numberedOf } from "../../../events/stored.ts";
import type { EventQuery } from "./query.ts";

/** The statement that reads the `seq` of a company's event: none or one row. */
export function selectPlace(db: CompanyDb, companyId: number, id: string) {
  return db
    .select({ seq: events.seq })
    .from(events)
    .where(and(hasId(id), eq(events.companyId, companyId)));
}

/**
 * The statement that reads whether an event that is not in the database cannot be in the archive either: a machine of another company numbered it, or
 * an earlier one of its machine is still in the database.
 */
export function selectIsMissing(db: CompanyDb, companyId: number, id: string) {
  const { machineId, n } = numberedOf(id) ?? { machineId: null, n: null };
  const isOwn = sql`EXISTS (SELECT 1 FROM ${machines} WHERE ${machines.id} = ${machineId} AND ${machines.companyId} = ${companyId})`;
  const hasEarlier = sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.machineId} = ${machineId} AND ${events.n} <= ${n})`;
  const isMissing = sql<boolean>`${machineId} IS NOT NULL AND (NOT ${isOwn} OR ${hasEarlier})`.mapWith(Boolean).as("is_missing");
  return db.select({ isMissing }).from(sql`(SELECT 1)`);
}

/** The statement that reads the machines that are in lines of a company now. */
export function selectInLines(db: CompanyDb, companyId: number, lineIds: readonly number[]) {
  return db
    .select({ id: machines.id })
    .from(machines)
    .where(and(eq(machines.companyId, companyId), inList(machines.lineId, lineIds)));
}

/** Events of up to this many machines are found by machine, and then sorted: each may have all events of the period. */
const FEW_MACHINES = 5;

/**
 * The statement that reads the events that match a query, one more than its limit.
 * @param after the `seq` after which the page starts; undefined: at the first event
 */
export function selectEvents(
  db: CompanyDb,
  { companyId, types, machineIds, lineIds, from, to, sort, cursor, limit }: EventQuery & { companyId: number },
  after: number | undefined,
) {
  const isDescending = sort === "-seq";
  // After an event there are few new ones, which are found by company. The plus stops SQLite from using the index of a column.
  const isByMachine = after === undefined && machineIds !== undefined && machineIds.length <= FEW_MACHINES;
  const [ofCompany, ofMachine] = isByMachine
    ? [sql`+${events.companyId}`, sql`${events.machineId}`]
    : [sql`${events.companyId}`, sql`+${events.machineId}`];
  return db
    .select()
    .from(events)
    .where(
      and(
        eq(ofCompany, companyId),
        ifListed(
          events.type,
          types?.map((type) => eventTypeNumbers[type]),
        ),
        ifListed(ofMachine, machineIds),
        ifInLines(events.machineId, lineIds),
        ifBetween(events.at, from, to),
        after === undefined ? undefined : gt(events.seq, after),
        cursor && (isDescending ? lt : gt)(events.seq, cursor[1]),
      ),
    )
    .orderBy(isDescending ? desc(events.seq) : asc(events.seq))
    .limit(limit + 1);
}
