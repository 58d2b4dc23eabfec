import { sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { companies, users } from "../../../db/schema.ts";
import type { UserRow } from "../identity/queries.ts";

/** Condition: there never was a user. */
export const hasNoUser = sql`NOT EXISTS (SELECT 1 FROM ${users})`;

/** A visitor of the demo may start a company while the service has fewer than this. */
const mostCompanies = 100;

/** Condition: there is room for another company that a visitor of the demo starts. */
export const hasRoom = sql`(SELECT count(*) FROM ${companies}) < ${mostCompanies}`;

/** The statement that reads whether there is. */
export function selectRoom(db: CompanyDb) {
  return db.select({ hasRoom: sql<number>`${hasRoom}`.as("has_room") }).from(sql`(SELECT 1)`);
}

/** The statement that reads whether there is, or was, a user. */
export function selectIsClaimed(db: CompanyDb) {
  return db.select({ isClaimed: sql<number>`EXISTS (SELECT 1 FROM ${users})`.as("is_claimed") }).from(sql`(SELECT 1)`);
}

/** The statement that stores the first user. */
export function insertUser(db: CompanyDb, user: UserRow) {
  return db.insert(users).values(user);
}
