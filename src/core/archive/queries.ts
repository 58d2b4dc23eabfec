import { and, asc, desc, eq, gte, lt, lte, sql } from "drizzle-orm";
import type { CompanyDb } from "../../db/client.ts";
import { archivedDays } from "../../db/schema.ts";
import type { ArchivedKind, ArchivedPart } from "./parts.ts";

/** A part as the database has it. */
export type ArchivedDay = typeof archivedDays.$inferSelect & ArchivedPart;

/** Which parts of a company; undefined members: any. */
export interface PartRange {
  companyId: number;
  kind: ArchivedKind;
  /** The starts of the first and the last day (epoch ms). */
  from?: number | undefined;
  to?: number | undefined;
  /** Those with rows of this time or later, and with rows before a time (epoch ms). */
  timesFrom?: number | undefined;
  timesTo?: number | undefined;
  /** Those with keys whose first number is more, or less. */
  keysAbove?: number | undefined;
  keysBelow?: number | undefined;
}

/** The statement that reads parts of a company, the newest first, or the oldest first. */
export function selectParts(
  db: CompanyDb,
  { companyId, kind, from, to, timesFrom, timesTo, keysAbove, keysBelow }: PartRange,
  limit: number,
  order: "newest" | "oldest" = "newest",
) {
  const { day, part, fromAt, toAt, firstKey, lastKey } = archivedDays;
  const direction = order === "newest" ? desc : asc;
  return db
    .select()
    .from(archivedDays)
    .where(
      and(
        eq(archivedDays.companyId, companyId),
        eq(archivedDays.kind, kind),
        from === undefined ? undefined : gte(day, from),
        to === undefined ? undefined : lte(day, to),
        timesFrom === undefined ? undefined : gte(toAt, timesFrom),
        timesTo === undefined ? undefined : lt(fromAt, timesTo),
        keysAbove === undefined ? undefined : sql`${lastKey}->>0 > ${keysAbove}`,
        keysBelow === undefined ? undefined : sql`${firstKey}->>0 < ${keysBelow}`,
      ),
    )
    .orderBy(direction(day), direction(part))
    .limit(limit);
}

/** The statement that records a part whose object is stored. It fails if the part is recorded already. */
export function insertPart(db: CompanyDb, day: ArchivedDay) {
  return db.insert(archivedDays).values(day);
}
