import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { storedEntry } from "../../../core/audit-entries.ts";
import type { AuditRow } from "../../../db/audit-row.ts";
import type { CompanyDb } from "../../../db/client.ts";
import { isUnchanged } from "../../../db/expect.ts";
import { audit, commonPasswords, companies, users } from "../../../db/schema.ts";

export type UserRow = typeof users.$inferSelect;

/** The statement that reads the user of an e-mail address, in lower case, who is not deleted. */
export function selectUserOf(db: CompanyDb, email: string) {
  return db
    .select()
    .from(users)
    .where(and(eq(users.email, email), isNull(users.deletedAt)));
}

/** The statement that stores an audit entry. */
export function insertEntry(db: CompanyDb, entry: AuditRow) {
  return db.insert(audit).values(storedEntry(entry));
}

/** The statement that reads a user who is not deleted. */
export function selectUser(db: CompanyDb, userId: number) {
  return db
    .select()
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)));
}

/** Condition: the user is unchanged since it was read. */
export function isSameUser(user: UserRow): SQL {
  return isUnchanged(users, user);
}

/** The statement that updates columns of a user. */
export function updateUser(db: CompanyDb, id: number, values: Partial<UserRow>) {
  return db.update(users).set(values).where(eq(users.id, id));
}

/** Inputs for the check for easy passwords: whether the password is a common one, and the name of the owner's company. */
export type Guesses = ReturnType<typeof guessesOf>;

/** The statement that reads the input of `guessesOf`. */
export function selectGuesses(db: CompanyDb, companyId: number | SQL, commonKey: number) {
  const isCommon = sql<number>`EXISTS (SELECT 1 FROM ${commonPasswords} WHERE ${commonPasswords.key} = ${commonKey})`.as(
    "is_common",
  );
  const company = sql<string | null>`(SELECT ${companies.name} FROM ${companies} WHERE ${companies.id} = ${companyId})`.as(
    "company",
  );
  return db.select({ isCommon, company }).from(sql`(SELECT 1)`);
}

/** Shapes the row of `selectGuesses`. */
export function guessesOf(found: { isCommon: number; company: string | null } | undefined) {
  return { isCommon: found?.isCommon === 1, company: found?.company ?? "" };
}
