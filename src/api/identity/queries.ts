import { and, eq, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { commonPasswords, companies, loginAttempts, users } from "../../db/schema.ts";
import type { Audit } from "../../http/old-audit.ts";

/** How long failed attempts are held against an account or address. */
export const windowMs = 15 * 60_000;
/** How long an address from which an account has logged in is known. */
export const knownMs = 30 * 86_400_000;

// Failures that lock an account from an address, an address, and an account from addresses that it is not known from: who
// guesses from one place locks nobody out elsewhere, and who guesses from many nobody at home.
const maxPerPair = 10;
const maxPerAddress = 100;
const maxPerAccount = 100;

/** A counter of failures, this attempt among them. It starts over `windowMs` after `windowStart` (epoch ms). */
export type Counter = typeof loginAttempts.$inferSelect;

/** An attempt that was counted as a failure before it was tried. `network` is what its address is counted by. */
export interface Attempt {
  email: string;
  address: string;
  network: string;
  counters: readonly Counter[];
  now: number;
}

/**
 * Counts the attempt as a failure before anyone knows, unless a counter is full, and looks the user up: one trip.
 * @returns no counters, and since when one is full, for an attempt that is not to be tried: it counts nowhere
 */
export async function startAttempt(db: Db, email: string, network: string, now: number) {
  const { key, failures, windowStart } = loginAttempts;
  const account = `account|${email}`;
  const all = [
    [`address|${network}`, maxPerAddress],
    [`pair|${email}|${network}`, maxPerPair],
    [account, maxPerAccount],
  ];
  const isKnown = sql`SELECT 1 FROM ${loginAttempts} WHERE ${key} = ${knownKey(email, network)} AND ${windowStart} > ${now - knownMs}`;
  // A full counter of the account does not hold back who signs in from a known address.
  const wanted = sql`(SELECT value->>0 AS name, value->>1 AS most FROM json_each(${JSON.stringify(all)})
    WHERE value->>0 <> ${account} OR NOT EXISTS (${isKnown})) AS wanted`;
  // CROSS JOIN: the counters are looked up by the few names, never the names by all counters.
  const whatIsFull = sql`FROM ${wanted} CROSS JOIN ${loginAttempts} ON ${key} = name WHERE most <= ${failures}`;
  const [, counters, [full], [user]] = await db.batch([
    db.delete(loginAttempts).where(and(sql`${key} IN (SELECT name FROM ${wanted})`, lte(windowStart, now - windowMs))),
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
  ]);
  return { counters, fullSince: full?.since ?? now, user };
}

type Account = Pick<typeof users.$inferSelect, "id" | "companyId">;

/** Audits a failed attempt on an account. For nobody's it does as much, so that it takes as long, and tells nothing. One trip. */
export async function auditFailure(db: Db, account: Account | undefined, { address, counters }: Attempt, audit: Audit) {
  const { id = 0, companyId = 0 } = account ?? {};
  const entry = { action: "login.failure", companyId, objectId: id, before: null, after: { address } } as const;
  const { key, failures } = loginAttempts;
  await db.batch([
    audit(entry, sql`FROM ${users} WHERE ${users.id} = ${id}`),
    db
      .update(loginAttempts)
      .set({ failures })
      .where(eq(key, counters[0]?.key ?? "")),
  ]);
}

/** The statements that take the count of a successful attempt back, and remember where the account signs in from. */
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

/** The statements that take the count of an attempt back. */
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

/** A user who is there (or undefined), and what speaks against a new password; as `findGuesses`. One trip. */
export async function findUserAndGuesses(db: Db, userId: number, companyId: number, commonKey: number) {
  const [[user], [found]] = await db.batch([
    db
      .select()
      .from(users)
      .where(and(eq(users.id, userId), isNull(users.deletedAt))),
    selectGuesses(db, companyId, commonKey),
  ]);
  return { user, guesses: guessesOf(found) };
}

/** A user who is there; undefined for anyone else. One trip. */
export async function findUser(db: Db, userId: number) {
  const isThere = and(eq(users.id, userId), isNull(users.deletedAt));
  return (await db.select().from(users).where(isThere))[0];
}

/** The statement that ends a user's tokens. It gives whom new ones are for. */
export function endTokens(db: Db, userId: number, now: number) {
  return changeSignIn(db, now, {}, eq(users.id, userId));
}

/** The statement that gives a user another password, unless it has been changed since, and ends the tokens; as `endTokens`. */
export function setPassword(db: Db, { id, passwordHash }: typeof users.$inferSelect, changedHash: string, now: number) {
  return changeSignIn(db, now, { passwordHash: changedHash }, and(eq(users.id, id), eq(users.passwordHash, passwordHash)));
}

/** Holds while a password that was set is the user's. */
export function isSet(userId: number, passwordHash: string): SQL {
  return sql`FROM ${users} WHERE ${users.id} = ${userId} AND ${users.passwordHash} = ${passwordHash}`;
}

function changeSignIn(db: Db, now: number, changed: { passwordHash?: string }, condition: SQL | undefined) {
  const { id, companyId, role, tokenVersion, updatedAt } = users;
  return db
    .update(users)
    .set({ ...changed, tokenVersion: sql`${tokenVersion} + 1`, updatedAt: sql`max(${now}, ${updatedAt} + 1)` })
    .where(and(condition, isNull(users.deletedAt)))
    .returning({ id, companyId, role, tokenVersion });
}

/** What speaks against a new password beside its letters: the name of its owner's company, and whether it is a common one. */
export type Guesses = ReturnType<typeof guessesOf>;

/** What speaks against a new password of the company's. One trip. */
export async function findGuesses(db: Db, companyId: number, commonKey: number): Promise<Guesses> {
  return guessesOf((await selectGuesses(db, companyId, commonKey))[0]);
}

function selectGuesses(db: Db, companyId: number, commonKey: number) {
  const isCommon = sql<number>`EXISTS (SELECT 1 FROM ${commonPasswords} WHERE ${commonPasswords.key} = ${commonKey})`.as(
    "is_common",
  );
  const company = sql<string | null>`(SELECT ${companies.name} FROM ${companies} WHERE ${companies.id} = ${companyId})`.as(
    "company",
  );
  return db.select({ isCommon, company }).from(sql`(SELECT 1)`);
}

function guessesOf(found: { isCommon: number; company: string | null } | undefined) {
  return { isCommon: found?.isCommon === 1, company: found?.company ?? "" };
}

function knownKey(email: string, network: string): string {
  return `known|${email}|${network}`;
}
