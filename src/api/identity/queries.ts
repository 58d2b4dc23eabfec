import { and, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { loginAttempts, users } from "../../db/schema.ts";

/** How long failed logins are held against an account or address. */
export const windowMs = 15 * 60_000;
const knownMs = 30 * 86_400_000;

/** A throttle counter with this attempt counted. It starts over `windowMs` after `windowStart` (epoch ms). */
export type Counter = typeof loginAttempts.$inferSelect;

/**
 * Counts the attempt as a failure before anyone knows, against its address and its account, and looks the user up: one
 * trip. An address from which the account has logged in is counted as a pair of its own, which nobody else can use up.
 */
export async function startAttempt(db: Db, email: string, address: string, now: number) {
  const account = sql`case when exists (select 1 from ${loginAttempts}
    where ${loginAttempts.key} = ${knownKey(email, address)} and ${loginAttempts.windowStart} > ${now - knownMs})
    then ${`pair|${email}|${address}`} else ${`account|${email}`} end`;
  const [[byAddress], [byAccount], [user]] = await db.batch([
    countFailure(db, `address|${address}`, now),
    countFailure(db, account, now),
    db
      .select()
      .from(users)
      .where(and(eq(users.email, email), isNull(users.deletedAt))),
  ]);
  if (!byAddress || !byAccount) throw new Error("an upsert returned no row");
  return { byAddress, byAccount, user };
}

/** Takes the count of a successful attempt back, and remembers that the account logs in from this address. */
export async function finishAttempt(db: Db, email: string, address: string, counters: readonly [Counter, Counter], now: number) {
  const refund = ({ key, windowStart }: Counter) =>
    db
      .update(loginAttempts)
      .set({ failures: sql`${loginAttempts.failures} - 1` })
      .where(and(eq(loginAttempts.key, key), eq(loginAttempts.windowStart, windowStart)));
  await db.batch([
    refund(counters[0]),
    refund(counters[1]),
    db
      .insert(loginAttempts)
      .values({ key: knownKey(email, address), failures: 0, windowStart: now })
      .onConflictDoUpdate({ target: loginAttempts.key, set: { windowStart: now } }),
    db.delete(loginAttempts).where(lt(loginAttempts.windowStart, now - knownMs)),
  ]);
}

function knownKey(email: string, address: string): string {
  return `known|${email}|${address}`;
}

function countFailure(db: Db, key: string | SQL, now: number) {
  const isOver = sql`${loginAttempts.windowStart} <= ${now - windowMs}`;
  return db
    .insert(loginAttempts)
    .values({ key, failures: 1, windowStart: now })
    .onConflictDoUpdate({
      target: loginAttempts.key,
      set: {
        failures: sql`case when ${isOver} then 1 else ${loginAttempts.failures} + 1 end`,
        windowStart: sql`case when ${isOver} then excluded.window_start else ${loginAttempts.windowStart} end`,
      },
    })
    .returning();
}
