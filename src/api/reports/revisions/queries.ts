import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { ifGiven } from "../../../db/conditions.ts";
import { shiftRecords, shiftRevisions, users } from "../../../db/schema.ts";
import type { RevisionsQuery } from "./query.ts";

export type RevisionOfShift = Awaited<ReturnType<typeof selectRevisions>>[number];

/** The revisions of a shift record of a company (undefined: any), newest first, one more than the limit. */
export function selectRevisions(
  db: CompanyDb,
  recordId: number,
  companyId: number | undefined,
  { cursor, limit }: RevisionsQuery,
) {
  return db
    .select({
      n: shiftRevisions.n,
      recordedAt: shiftRevisions.recordedAt,
      reasons: shiftRevisions.reasons,
      userId: shiftRevisions.userId,
      userName: sql<string | null>`${users.name}`.as("user_name"),
      apiTokenId: shiftRevisions.apiTokenId,
      requestId: shiftRevisions.requestId,
      body: shiftRevisions.body,
    })
    .from(shiftRevisions)
    .leftJoin(users, eq(users.id, shiftRevisions.userId))
    .where(
      and(
        eq(shiftRevisions.recordId, recordId),
        ifGiven(shiftRevisions.companyId, companyId),
        cursor && lt(shiftRevisions.n, cursor[0]),
      ),
    )
    .orderBy(desc(shiftRevisions.n))
    .limit(limit + 1);
}

/** The statement that reads whether a company (undefined: any) has a shift record. */
export function selectRecord(db: CompanyDb, id: number, companyId: number | undefined) {
  return db
    .select({ id: shiftRecords.id })
    .from(shiftRecords)
    .where(and(eq(shiftRecords.id, id), ifGiven(shiftRecords.companyId, companyId)));
}
