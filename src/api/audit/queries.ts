import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { kindNumber } from "../../db/audit-columns.ts";
import type { Db } from "../../db/client.ts";
import { byIndex, columnsByIndex, ifBetween, ifGiven } from "../../db/conditions.ts";
import { audit, users } from "../../db/schema.ts";
import type { AuditQuery } from "./query.ts";

/** The audit entries that match a query, newest first. Reads one more than the limit. One trip. */
export function selectEntries(
  db: Db,
  { companyId, userId, apiTokenId, action, objectType, objectId, from, to, cursor, limit }: AuditQuery,
) {
  const isObject = objectType !== undefined && objectId !== undefined;
  const index = isObject ? "audit_object" : userId !== undefined ? "audit_user" : apiTokenId !== undefined ? "audit_token" : null;
  return (
    db
      .select({
        ...columnsByIndex(getTableColumns(audit)),
        userName: sql<string | null>`coalesce(${audit.userName}, ${users.name})`.as("shown_name"),
      })
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
          cursor && sql`(${audit.at}, ${audit.nr}) < (${cursor[0]}, ${cursor[1]})`,
        ),
      )
      .orderBy(desc(audit.at), desc(audit.nr))
      .limit(limit + 1)
  );
}
