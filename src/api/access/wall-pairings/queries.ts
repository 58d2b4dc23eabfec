import { and, eq, gt, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { apiTokens, loginAttempts, wallPairings } from "../../../db/schema.ts";
import { windowMs } from "../identity/queries.ts";

export type PairingRow = typeof wallPairings.$inferSelect;

/**
 * The statements that count an occurrence, unless there were `most` in the last 15 minutes. Their results: nothing; a row (none: there were
 * too many, and this one is not counted); the time of the first one.
 */
export function countUp(db: Db, key: string, most: number, now: number) {
  const { failures, windowStart } = loginAttempts;
  const isOne = eq(loginAttempts.key, key);
  return [
    db.delete(loginAttempts).where(and(isOne, lte(windowStart, now - windowMs))),
    // One statement checks and counts, so that concurrent occurrences cannot all get past the limit.
    db
      .insert(loginAttempts)
      .values({ key, failures: 1, windowStart: now })
      .onConflictDoUpdate({ target: loginAttempts.key, set: { failures: sql`${failures} + 1` }, setWhere: lt(failures, most) })
      .returning({ key: loginAttempts.key }),
    db.select({ since: windowStart }).from(loginAttempts).where(isOne),
  ] as const;
}

/**
 * The statement that takes an occurrence back: a right code does not count. The wrong ones before it do: otherwise whoever has a wall of their
 * own could try any number of codes.
 */
export function uncount(db: Db, key: string) {
  const { failures } = loginAttempts;
  return db
    .update(loginAttempts)
    .set({ failures: sql`max(${failures} - 1, 0)` })
    .where(eq(loginAttempts.key, key));
}

/** The statement that stores a new pairing. */
export function insertPairing(db: Db, row: typeof wallPairings.$inferInsert) {
  return db.insert(wallPairings).values(row);
}

/** A pairing with its API token; undefined if there is no such pairing. The `token*` members are null without a valid token. */
export function findPairing(db: Db, id: string) {
  const { tokenHash, expiresAt, confirmedAt, lineIds, distance } = wallPairings;
  const token = { tokenName: sql<string | null>`${apiTokens.name}`.as("token_name"), tokenCompanyId: apiTokens.companyId };
  return db
    .select({ tokenHash, expiresAt, confirmedAt, lineIds, distance, ...token })
    .from(wallPairings)
    .leftJoin(apiTokens, and(eq(apiTokens.tokenHash, tokenHash), isNull(apiTokens.revokedAt)))
    .where(eq(wallPairings.id, id))
    .get();
}

/** The statement that reads the pairing that waits for this code at `now`: none or one row. */
export function selectWaiting(db: Db, code: string, now: number) {
  const { id, tokenHash, expiresAt, confirmedAt } = wallPairings;
  return db
    .select({ id, tokenHash })
    .from(wallPairings)
    .where(and(eq(wallPairings.code, code), isNull(confirmedAt), gt(expiresAt, now)));
}

/** Condition: the pairing waits to be confirmed. */
export function isWaiting(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${wallPairings} WHERE ${wallPairings.id} = ${id} AND ${wallPairings.confirmedAt} IS NULL)`;
}

/** The statement that updates columns of a pairing. */
export function updatePairing(db: Db, id: string, values: Partial<PairingRow>) {
  return db.update(wallPairings).set(values).where(eq(wallPairings.id, id));
}
