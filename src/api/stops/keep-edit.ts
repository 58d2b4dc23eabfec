import type { Context } from "hono";
import type { UserEnv } from "../../http/env.ts";
import { keepAnswer } from "../../http/idempotency.ts";
import { db } from "../../http/session.ts";

/**
 * Keeps the answer to an edit that came with an Idempotency-Key; null: an empty one. The edit itself is the object's: if this
 * is not reached, the object remembers the edit and gives what it led to again.
 */
export async function keepEdit(c: Context<UserEnv>, answer: unknown): Promise<void> {
  const kept = answer === null ? keepAnswer(c, 204, null) : keepAnswer(c, 200, JSON.stringify(answer));
  const [first, ...others] = kept;
  if (first) await db(c).batch([first, ...others]);
}
