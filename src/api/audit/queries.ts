import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { kindNumber } from "../../db/audit-columns.ts";
import type { CompanyDb } from "../../db/client.ts";
import { byIndex, columnsByIndex, ifBetween, ifGiven } from "../../db/conditions.ts";
import { archivedDays, audit, users } from "../../db/schema.ts";
import { DAY_MS } from "../../oee/time.ts";
import type { AuditQuery } from "./query.ts";

export type EntryRow = typeof audit.$inferSelect;

function entryColumns() {
  return {
    ...columnsByIndex(getTableColumns(audit)),
    userName: sql<string | null>`coalesce(${audit.userName}, ${users.name})`.as("shown_name"),
  };
}

/** The end of the newest day of which the archive has entries (epoch ms); 0: it has none. */
function endOfArchive(companyId: number): SQL {
  const newest = sql`SELECT max(${archivedDays.day}) + ${DAY_MS} FROM ${archivedDays}
    WHERE ${archivedDays.companyId} = ${companyId} AND ${archivedDays.kind} = 'audit'`;
  return sql`coalesce((${newest}), 0)`;
}

/** The statement that reads the entries of a company and UTC day after a key, in the order of their keys. */
export function selectEntriesOfDay(
  db: CompanyDb,
  { companyId, day, after }: { companyId: number; day: number; after: readonly number[] | undefined },
  limit: number,
) {
  return db
    .select(entryColumns())
    .from(audit)
    .leftJoin(users, eq(users.id, audit.userId))
    .where(
      and(
        eq(audit.companyId, companyId),
        ifBetween(audit.at, after?.[0] ?? day, day + DAY_MS),
        after && sql`(${audit.at}, ${audit.nr}) > (${after[0]}, ${after[1]})`,
      ),
    )
    .orderBy(audit.at, audit.nr)
    .limit(limit);
}

/** The statement that deletes the entries of a company with these keys, and returns a row for each. */
export function deleteEntries(db: CompanyDb, companyId: number, keys: readonly (readonly number[])[]) {
  const listed = sql`SELECT value->>0, value->>1 FROM json_each(${JSON.stringify(keys)})`;
  return db
    .delete(audit)
    .where(and(eq(audit.companyId, companyId), sql`(${audit.at}, ${audit.nr}) IN (${listed})`))
    .returning({ one: sql`1`.as("one") });
}

/** The audit entries that match a query, newest first. Reads one more than the limit. One trip. */
export function selectEntries(
  db: CompanyDb,
  {
    companyId,
    userId,
    apiTokenId,
    action,
    objectType,
    objectId,
    from,
    to,
    cursor,
    limit,
    isAfterArchive,
  }: AuditQuery & {
    /** Only those of later days than the newest in the company's archive. */
    isAfterArchive?: boolean;
  },
) {
  const isObject = objectType !== undefined && objectId !== undefined;
  const index = isObject ? "audit_object" : userId !== undefined ? "audit_user" : apiTokenId !== undefined ? "audit_token" : null;
  return (
    db
      .select(entryColumns())
      // Of one company the entries by an index, the newest first; of all companies, which only superusers read, those of one after the other.
      .from(companyId === undefined || index === null ? audit : byIndex(audit, index))
      .leftJoin(users, eq(users.id, audit.userId))
      .where(
        and(
          ifGiven(audit.companyId, companyId),
          ifGiven(audit.userId, userId),
          ifGiven(audit.apiTokenId, apiTokenId),
          ifGiven(audit.action, action),
          objectType === undefined ? undefined : eq(audit.kind, kindNumber(objectType)),
          ifGiven(audit.objectId, objectId),
          ifBetween(audit.at, from, to),
          isAfterArchive && companyId !== undefined ? sql`${audit.at} >= ${endOfArchive(companyId)}` : undefined,
          cursor && sql`(${audit.at}, ${audit.nr}) < (${cursor[0]}, ${cursor[1]})`,
        ),
      )
      .orderBy(desc(audit.at), desc(audit.nr))
      .limit(limit + 1)
  );
}
