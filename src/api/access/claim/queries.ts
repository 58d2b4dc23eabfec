import { sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { users } from "../../../db/schema.ts";
import type { UserRow } from "../identity/queries.ts";

/** Condition: there never was a user. */
export const hasNoUser = sql`NOT EXISTS (SELECT 1 FROM ${users})`;

/** The statement that reads whether there is, or was, a user. */
export function selectIsClaimed(db: CompanyDb) {
  return db.select({ isClaimed: sql<number>`EXISTS (SELECT 1 FROM ${users})`.as("is_claimed") }).from(sql`(SELECT 1)`);
}

/** The statement that stores the first user. */
export function insertUser(db: CompanyDb, user: UserRow) {
  return db.insert(users).values(user);
}
