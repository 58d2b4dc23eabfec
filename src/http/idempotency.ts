import { createHmac } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type { Context, Next } from "hono";
import type { IdempotentRequest } from "../core/caller.ts";
import { keptForMs, Replay } from "../core/idempotency.ts";
import { conflict, invalid } from "../core/problem.ts";
import { findFirstAnswer } from "../core/queries.ts";
import { idempotencyKeys } from "../db/schema.ts";
import type { HonoEnv } from "./env.ts";
import { db } from "./session.ts";

/**
 * Recognizes a request with an Idempotency-Key for whoever does its work: `write` and `once` throw a Replay when it was answered before,
 * which `onError` turns into the first answer.
 */
export async function recognizeRepeated(c: Context<HonoEnv>, next: Next): Promise<void> {
  const request = await idempotentRequest(c);
  if (request) c.set("idempotentRequest", request);
  await next();
  // What stores `keepAnswer` fails on the key of the first try, or is refused for what the first try did.
  if (!request || !c.error || c.error instanceof Replay) return;
  const first = await findFirstAnswer(db(c), request, Date.now() - keptForMs);
  if (!first) return;
  if (first.requestHash !== request.requestHash) throw conflict("The Idempotency-Key was used with another body.");
  c.res = replayResponse(first);
}

/** The answer to the first try, with a header that says so. */
export function replayResponse({ status, body }: Pick<Replay, "status" | "body">): Response {
  const headers = { "idempotent-replayed": "true", ...(body !== null && { "content-type": "application/json" }) };
  return new Response(body, { status, headers });
}

/**
 * The statements that keep a request's answer, for the batch that does its work: stored together or not at all.
 * @param body what is sent, as text or as an expression that gives it; null for an empty answer
 * @param condition when the work depends on a condition inside its statements: what holds once it was done
 */
export function keepAnswer(c: Context, status: number, body: string | SQL | null, condition: SQL = sql`true`) {
  const context = c as Context<HonoEnv>;
  const request = context.get("idempotentRequest");
  if (!request) return [];
  const { userId, operation, key, requestHash } = request;
  const now = Date.now();
  const expired = sql`${idempotencyKeys.userId} = ${userId} AND ${idempotencyKeys.operation} = ${operation}
    AND ${idempotencyKeys.key} = ${key} AND ${idempotencyKeys.createdAt} <= ${now - keptForMs}`;
  return [
    db(context).delete(idempotencyKeys).where(expired),
    db(context)
      .insert(idempotencyKeys)
      .select(sql`SELECT ${userId}, ${operation}, ${key}, ${requestHash}, ${status}, ${body}, ${now} WHERE ${condition}`),
  ];
}

async function idempotentRequest(c: Context<HonoEnv>): Promise<IdempotentRequest | null> {
  const key = c.req.header("idempotency-key");
  const actor = c.get("actor");
  if (key === undefined || actor?.kind !== "user") return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid([
      { pointer: "/header/idempotency-key", code: "invalid_format", message: "must be 1 to 255 visible ASCII characters" },
    ]);
  }
  const requestHash = createHmac("sha256", c.env.ENCRYPTION_KEY)
    .update(new URL(c.req.url).search)
    .update(await c.req.text())
    .digest("hex");
  return { userId: actor.userId, operation: `${c.req.method} ${c.req.path}`, key, requestHash };
}
