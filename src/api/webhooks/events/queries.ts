import { and, asc, desc, eq, gt, lt } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { ifBetween, ifGiven, ifInLines, ifListed } from "../../../db/conditions.ts";
import { events } from "../../../db/schema.ts";
import type { EventQuery } from "./query.ts";

/** The statement that reads the `seq` of a company's event: none or one row. */
export function selectPlace(db: Db, companyId: number | undefined, id: string) {
  return db
    .select({ seq: events.seq })
    .from(events)
    .where(and(eq(events.id, id), ifGiven(events.companyId, companyId)));
}

/**
 * The statement that reads the events that match a query, one more than its limit.
 * @param after the `seq` after which the page starts; undefined: at the first event
 */
export function selectEvents(
  db: Db,
  { companyId, types, machineIds, lineIds, from, to, sort, cursor, limit }: EventQuery,
  after: number | undefined,
) {
  const isDescending = sort === "-seq";
  return db
    .select()
    .from(events)
    .where(
      and(
        ifGiven(events.companyId, companyId),
        ifListed(events.type, types),
        ifListed(events.machineId, machineIds),
        ifInLines(events.machineId, lineIds),
        ifBetween(events.at, from, to),
        after === undefined ? undefined : gt(events.seq, after),
        cursor && (isDescending ? lt : gt)(events.seq, cursor[1]),
      ),
    )
    .orderBy(isDescending ? desc(events.seq) : asc(events.seq))
    .limit(limit + 1);
}
