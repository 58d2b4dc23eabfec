import { and, eq, gte, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { DirectoryDb } from "../db/client.ts";
import { loginAttempts } from "../db/schema/directory.ts";

/** How long failed attempts count against an account or a network address. */
export const windowMs = 15 * 60_000;
/** How long a network address is known for an account after a login from it. */
export const knownMs = 30 * 86_400_000;

// Failures that lock: an account from one address; an address; and an account from all addresses where it is not known. Guessing from one
// place does not lock the account elsewhere, and guessing from many places does not lock it at its known addresses.
const maxPerPair = 10;
const maxPerAddress = 100;
const maxPerAccount = 100;

/** Wrong PINs of an operator at a terminal that lock it there, and for how long. */
const maxPins = 5;
export const pinLockMs = 60_000;

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
 * The statements that count an attempt as a failure, unless a counter is full. Their results: nothing; the counters (empty if a counter is full
 * and the attempt was not counted); the start of the full counter's window.
 */
export function countAttempt(directory: DirectoryDb, email: string, network: string, now: number) {
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
    directory.delete(loginAttempts).where(and(sql`${key} IN (SELECT name FROM ${wanted})`, lte(windowStart, now - windowMs))),
    // One statement checks and counts, so that concurrent attempts cannot all get past a counter.
    directory
      .insert(loginAttempts)
      .select(sql`SELECT name, 1, ${now} FROM ${wanted} WHERE NOT EXISTS (SELECT 1 ${whatIsFull})`)
      .onConflictDoUpdate({ target: key, set: { failures: sql`${failures} + 1` } })
      .returning(),
    directory.select({ since: sql<number | null>`(SELECT max(${windowStart}) ${whatIsFull})`.as("since") }).from(sql`(SELECT 1)`),
  ] as const;
}

/** The statement that writes a counter of an attempt without changing it: it takes as long as one that does. */
export function touchAttempt(directory: DirectoryDb, { counters }: Attempt) {
  const { key, failures } = loginAttempts;
  return directory
    .update(loginAttempts)
    .set({ failures })
    .where(eq(key, counters[0]?.key ?? ""));
}

/** The statements that undo the count of a successful attempt and store its address as known. */
export function finishAttempt(directory: DirectoryDb, attempt: Attempt) {
  const { email, network, now } = attempt;
  return [
    ...forgetAttempt(directory, attempt),
    directory
      .insert(loginAttempts)
      .values({ key: knownKey(email, network), failures: 0, windowStart: now })
      .onConflictDoUpdate({ target: loginAttempts.key, set: { windowStart: now } }),
  ] as const;
}

/** The statements that undo the count of an attempt. */
export function forgetAttempt(directory: DirectoryDb, { counters }: Attempt) {
  const { key, failures, windowStart } = loginAttempts;
  const counted = JSON.stringify(counters.map((one) => [one.key, one.windowStart]));
  const isCounted = sql`(${key}, ${windowStart}) IN (SELECT value->>0, value->>1 FROM json_each(${counted}))`;
  return [
    directory
      .update(loginAttempts)
      .set({ failures: sql`${failures} - 1` })
      .where(isCounted),
    directory.delete(loginAttempts).where(and(isCounted, lte(failures, 0))),
  ] as const;
}

/**
 * The statements that count an occurrence, unless there were `most` in the last 15 minutes. Their results: nothing; a row (none: there were
 * too many, and this one is not counted); the time of the first one.
 */
export function countUp(directory: DirectoryDb, key: string, most: number, now: number) {
  return counting(directory, key, now, { most, isOver: lte(loginAttempts.windowStart, now - windowMs), next: {} });
}

/**
 * The statement that takes an occurrence back: a right code does not count. The wrong ones before it do: otherwise whoever has a wall of their
 * own could try any number of codes.
 */
export function uncount(directory: DirectoryDb, key: string) {
  const { failures } = loginAttempts;
  return directory
    .update(loginAttempts)
    .set({ failures: sql`max(${failures} - 1, 0)` })
    .where(eq(loginAttempts.key, key));
}

/**
 * The statements that count an attempt to sign in by a PIN as a failure, unless the operator's PIN is locked at the terminal. Their results: nothing;
 * a row (none: it is locked, and this attempt is not counted); the time of the last failure. The count ends 15 minutes after the last one, and with
 * the lock.
 */
export function countPin(directory: DirectoryDb, key: string, now: number) {
  const { failures, windowStart } = loginAttempts;
  const isUnlocked = and(gte(failures, maxPins), lte(windowStart, now - pinLockMs));
  const isOver = or(lte(windowStart, now - windowMs), isUnlocked);
  return counting(directory, key, now, { most: maxPins, isOver, next: { windowStart: now } });
}

interface Counting {
  most: number;
  /** Whether a count has ended: the next one begins anew. */
  isOver: SQL | undefined;
  /** What each further occurrence changes besides the number. */
  next: { windowStart?: number };
}

function counting(directory: DirectoryDb, key: string, now: number, { most, isOver, next }: Counting) {
  const { failures, windowStart } = loginAttempts;
  const isOne = eq(loginAttempts.key, key);
  const set = { failures: sql`${failures} + 1`, ...next };
  return [
    directory.delete(loginAttempts).where(and(isOne, isOver)),
    // One statement checks and counts, so that concurrent occurrences cannot all get past the limit.
    directory
      .insert(loginAttempts)
      .values({ key, failures: 1, windowStart: now })
      .onConflictDoUpdate({ target: loginAttempts.key, set, setWhere: lt(failures, most) })
      .returning({ key: loginAttempts.key }),
    directory.select({ since: windowStart }).from(loginAttempts).where(isOne),
  ] as const;
}

/** The statement that ends the count of an operator's wrong PINs at a terminal. */
export function forgetPins(directory: DirectoryDb, key: string) {
  return directory.delete(loginAttempts).where(eq(loginAttempts.key, key));
}

function knownKey(email: string, network: string): string {
  return `known|${email}|${network}`;
}
