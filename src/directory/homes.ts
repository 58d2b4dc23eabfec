import { and, eq, notExists, sql } from "drizzle-orm";
import type { DirectoryDb } from "../db/client.ts";
import { inList } from "../db/conditions.ts";
import { jsonRows } from "../db/json-rows.ts";
import { followed, homes, logins, tokenHomes } from "../db/schema/directory.ts";
import type { Jurisdiction } from "../db/values.ts";

export type FollowedKind = typeof followed.$inferSelect.kind;
export type Followed = typeof followed.$inferSelect;

/** The statement that reads up to which rows of a database the directory has read. */
export function selectFollowed(directory: DirectoryDb, database: number) {
  return directory.select().from(followed).where(eq(followed.database, database));
}

/** The statement that stores up to which row of a kind the directory has read. */
export function updateFollowed(directory: DirectoryDb, known: Followed) {
  const { until, id } = known;
  return directory
    .insert(followed)
    .values(known)
    .onConflictDoUpdate({ target: [followed.database, followed.kind], set: { until, id } });
}

/** The statement that stores in which database companies are. Those that are known stay where they are. */
export function insertHomes(
  directory: DirectoryDb,
  companies: readonly { id: number; jurisdiction: Jurisdiction | null }[],
  database: number,
) {
  const rows = companies.map(({ id, jurisdiction }) => ({ companyId: id, database, jurisdiction, state: "here" }));
  return directory.insert(homes).select(jsonRows(homes, rows)).onConflictDoNothing();
}

/** The statement that stores the companies of tokens. */
export function insertTokenHomes(directory: DirectoryDb, rows: readonly (typeof tokenHomes.$inferSelect)[]) {
  return directory.insert(tokenHomes).select(jsonRows(tokenHomes, rows)).onConflictDoNothing();
}

/** The statements that store who signs in with which address. A user without an address (null) does not sign in any more. */
export function storeLogins(
  directory: DirectoryDb,
  users: readonly { userId: number; companyId: number; email: string | null }[],
) {
  const living = users.filter(({ email }) => email !== null);
  const unchanged = directory
    .select({ one: sql`1` })
    .from(sql`json_each(${JSON.stringify(living)}) AS living`)
    .where(sql`living.value->>'email' = ${logins.email} AND living.value->>'userId' = ${logins.userId}`);
  const ids = users.map(({ userId }) => userId);
  return [
    directory.delete(logins).where(and(inList(logins.userId, ids), notExists(unchanged))),
    directory
      .insert(logins)
      .select(jsonRows(logins, living))
      .onConflictDoUpdate({
        target: logins.email,
        set: { userId: sql`excluded.user_id`, companyId: sql`excluded.company_id` },
        setWhere: sql`(${logins.userId}, ${logins.companyId}) <> (excluded.user_id, excluded.company_id)`,
      }),
  ] as const;
}
