import { and, asc, eq, isNull, lte } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { inList } from "../db/conditions.ts";
import { events } from "../db/schema.ts";
import type { NewEvent } from "./event.ts";

/** The statement that stores events, in this order. Those that are known stay as they are. */
export function insertEvents(db: Db, rows: readonly NewEvent[], now: number) {
  return db
    .insert(events)
    .values(rows.map((row) => ({ ...row, createdAt: now })))
    .onConflictDoNothing();
}

/** The statement that reads the oldest events of a company that nobody was told of. */
export function selectUndispatched(db: Db, companyId: number, limit: number) {
  return db
    .select()
    .from(events)
    .where(and(eq(events.companyId, companyId), isNull(events.dispatchedAt)))
    .orderBy(asc(events.seq))
    .limit(limit);
}

/** The statement that notes that events are dispatched. */
export function markDispatched(db: Db, seqs: readonly number[], now: number) {
  return db
    .update(events)
    .set({ dispatchedAt: now })
    .where(and(inList(events.seq, seqs), isNull(events.dispatchedAt)));
}

/** The statement that reads which companies have events that should have been dispatched by `until`. */
export function selectWaitingCompanies(db: Db, until: number) {
  return db
    .selectDistinct({ companyId: events.companyId })
    .from(events)
    .where(and(isNull(events.dispatchedAt), lte(events.createdAt, until)));
}
