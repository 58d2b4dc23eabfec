import type { Context } from "hono";
import type { UserEnv } from "../../http/env.ts";
import { keepAnswer } from "../../http/idempotency.ts";
import { db } from "../../http/session.ts";

/**
 * Keeps the answer to an edit that came with an Idempotency-Key. The edit itself is the object's: if this is not reached, the
 * same request again finds its work done and is refused, never done twice.
 */
export async function keepEdit(c: Context<UserEnv>, answer: unknown): Promise<void> {
  const [first, ...others] = keepAnswer(c, 200, JSON.stringify(answer));
  if (first) await db(c).batch([first, ...others]);
}
