import { and, desc, eq, gte, lte } from "drizzle-orm";
import type { CompanyDb } from "../../db/client.ts";
import { archivedDays } from "../../db/schema.ts";
import type { ArchivedKind, ArchivedPart } from "./parts.ts";

/** A part as the database has it. */
export type ArchivedDay = typeof archivedDays.$inferSelect & ArchivedPart;

/** The statement that reads the newest parts of a company, of the days from `from` to `to` (the starts of days, epoch ms; undefined: any). */
export function selectParts(
  db: CompanyDb,
  { companyId, kind, from, to }: { companyId: number; kind: ArchivedKind; from?: number | undefined; to?: number | undefined },
  limit: number,
) {
  return db
    .select()
    .from(archivedDays)
    .where(
      and(
        eq(archivedDays.companyId, companyId),
        eq(archivedDays.kind, kind),
        from === undefined ? undefined : gte(archivedDays.day, from),
        to === undefined ? undefined : lte(archivedDays.day, to),
      ),
    )
    .orderBy(desc(archivedDays.day), desc(archivedDays.part))
    .limit(limit);
}

/** The statement that records a part whose object is stored. It fails if the part is recorded already. */
export function insertPart(db: CompanyDb, day: ArchivedDay) {
  return db.insert(archivedDays).values(day);
}
