import type { Context } from "hono";
import { verifyPassword } from "../../core/password.ts";
import { Problem, tooManyRequests } from "../../core/problem.ts";
import type { HonoEnv } from "../../http/env.ts";
import { networkOf } from "../../http/network.ts";
import { hashing } from "../../http/rooms.ts";
import { db } from "../../http/session.ts";
import { type Attempt, forgetAttempt, startAttempt, windowMs } from "./queries.ts";

/** What an operation that tries a password says of the throttle. */
export const throttleText =
  "429: after 10 failures in 15 minutes for an account from an address, after 100 from an address, or for an account from addresses where it has not signed in within 30 days.";

/** Counts an attempt at an account's password before it is tried, and gives the account's user. 429 when there were too many. */
export async function beginAttempt<E extends HonoEnv>(c: Context<E>, email: string) {
  const now = Date.now();
  const address = c.req.header("cf-connecting-ip") ?? "local";
  const network = networkOf(address);
  const { counters, fullSince, user } = await startAttempt(db(c), email, network, now);
  if (counters.length > 0) return { user, attempt: { email, address, network, counters, now } };
  throw tooManyRequests("Too many failed attempts. Try again later.", (fullSince + windowMs - now) / 1000);
}

/**
 * Whether the password of an attempt is that of the stored hash (undefined: nobody's, which takes as long). 503 when too many are
 * tried at once; the attempt counts nowhere then.
 */
export async function tryPassword<E extends HonoEnv>(
  c: Context<E>,
  attempt: Attempt,
  password: string,
  stored: string | undefined,
): Promise<boolean> {
  try {
    return await hashing(c, () => verifyPassword(password, stored));
  } catch (error) {
    if (error instanceof Problem) await db(c).batch(forgetAttempt(db(c), attempt));
    throw error;
  }
}
