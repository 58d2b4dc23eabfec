import { and, eq, isNull, lte, type SQL, sql } from "drizzle-orm";
import { type AuditRow, storedEntry } from "../../../core/audit-entries.ts";
import type { Db } from "../../../db/client.ts";
import { isUnchanged } from "../../../db/expect.ts";
import { audit, commonPasswords, companies, loginAttempts, users } from "../../../db/schema.ts";

/** How long failed attempts count against an account or a network address. */
export const windowMs = 15 * 60_000;
/** How long a network address is known for an account after a login from it. */
export const knownMs = 30 * 86_400_000;

// Failures that lock: an account from one address; an address; and an account from all addresses where it is not known. Guessing from one
// place does not lock the account elsewhere, and guessing from many places does not lock it at its known addresses.
const maxPerPair = 10;
const maxPerAddress = 100;
const maxPerAccount = 100;

export type UserRow = typeof users.$inferSelect;

/** A counter of failures, including this attempt. It starts over `windowMs` after `windowStart` (epoch ms). */
type Counter = typeof loginAttempts.$inferSelect;

/** An attempt to log in. It is counted as a failure before the password is checked. `network`: see `PasswordClient`. */
export interface Attempt {
  email: string;
  address: string;
  network: string;
  counters: readonly Counter[];
  now: number;
}

/**
 * The statements that count an attempt as a failure, unless a counter is full, and read the user. Their results: nothing; the counters
 * (empty if a counter is full and the attempt was not counted); the start of the full counter's window; the user.
 */
export function countAttempt(db: Db, email: string, network: string, now: number) {
  const { key, failures, windowStart } = loginAttempts;
  const account = `account|${email}`;
  const all = [
    [`address|${network}`, maxPerAddress],
    [`pair|${email}|${network}`, maxPerPair],
    [account, maxPerAccount],
  ];
  const isKnown = sql`SELECT 1 FROM ${loginAttempts} WHERE ${key} = ${knownKey(email, network)} AND ${windowStart} > ${now - knownMs}`;
  // A full account counter does not stop logins from a known address.
  const wanted = sql`(SELECT value->>0 AS name, value->>1 AS most FROM json_each(${JSON.stringify(all)})
    WHERE value->>0 <> ${account} OR NOT EXISTS (${isKnown})) AS wanted`;
  // CROSS JOIN makes SQLite look up the counters by name instead of scanning them.
  const whatIsFull = sql`FROM ${wanted} CROSS JOIN ${loginAttempts} ON ${key} = name WHERE most <= ${failures}`;
  return [
    db.delete(loginAttempts).where(and(sql`${key} IN (SELECT name FROM ${wanted})`, lte(windowStart, now - windowMs))),
    // One statement checks and counts, so that concurrent attempts cannot all get past a counter.
    db
      .insert(loginAttempts)
      .select(sql`SELECT name, 1, ${now} FROM ${wanted} WHERE NOT EXISTS (SELECT 1 ${whatIsFull})`)
      .onConflictDoUpdate({ target: key, set: { failures: sql`${failures} + 1` } })
      .returning(),
    db.select({ since: sql<number | null>`(SELECT max(${windowStart}) ${whatIsFull})`.as("since") }).from(sql`(SELECT 1)`),
    db
      .select()
      .from(users)
      .where(and(eq(users.email, email), isNull(users.deletedAt))),
  ] as const;
}

/** The statement that stores an audit entry. */
export function insertEntry(db: Db, entry: AuditRow) {
  return db.insert(audit).values(storedEntry(entry));
}

/** The statement that writes a counter of an attempt without changing it, so that failures without an audit entry write to D1 as well. */
export function touchAttempt(db: Db, { counters }: Attempt) {
  const { key, failures } = loginAttempts;
  return db
    .update(loginAttempts)
    .set({ failures })
    .where(eq(key, counters[0]?.key ?? ""));
}

/** The statements that undo the count of a successful attempt and store its address as known. */
export function finishAttempt(db: Db, attempt: Attempt) {
  const { email, network, now } = attempt;
  return [
    ...forgetAttempt(db, attempt),
    db
      .insert(loginAttempts)
      .values({ key: knownKey(email, network), failures: 0, windowStart: now })
      .onConflictDoUpdate({ target: loginAttempts.key, set: { windowStart: now } }),
  ] as const;
}

/** The statements that undo the count of an attempt. */
export function forgetAttempt(db: Db, { counters }: Attempt) {
  const { key, failures, windowStart } = loginAttempts;
  const counted = JSON.stringify(counters.map((one) => [one.key, one.windowStart]));
  const isCounted = sql`(${key}, ${windowStart}) IN (SELECT value->>0, value->>1 FROM json_each(${counted}))`;
  return [
    db
      .update(loginAttempts)
      .set({ failures: sql`${failures} - 1` })
      .where(isCounted),
    db.delete(loginAttempts).where(and(isCounted, lte(failures, 0))),
  ] as const;
}

/** The statement that reads a user who is not deleted. */
export function selectUser(db: Db, userId: number) {
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
export function updateUser(db: Db, id: number, values: Partial<UserRow>) {
  return db.update(users).set(values).where(eq(users.id, id));
}

/** Inputs for the check for easy passwords: whether the password is a common one, and the name of the owner's company. */
export type Guesses = ReturnType<typeof guessesOf>;

/** The statement that reads the input of `guessesOf`. */
export function selectGuesses(db: Db, companyId: number | SQL, commonKey: number) {
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

function knownKey(email: string, network: string): string {
  return `known|${email}|${network}`;
}
