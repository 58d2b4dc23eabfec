import { createHmac } from "node:crypto";
import type { Context, Next } from "hono";
import type { IdempotentRequest } from "../core/caller.ts";
import { Replay, refuseRepeated, selectFirstAnswer } from "../core/idempotency.ts";
import { deriveKey, keyRing } from "../core/keys.ts";
import { invalid } from "../core/problem.ts";
import { locationOf } from "./created.ts";
import type { HonoEnv } from "./env.ts";
import { etagOfItem } from "./etag.ts";
import { db } from "./session.ts";

/**
 * Lets `write` and `once` recognize a request with an Idempotency-Key. They throw a Replay if it was answered before, which `onError` turns
 * into the first answer.
 */
export async function recognizeRepeated(c: Context<HonoEnv>, next: Next): Promise<void> {
  const request = await idempotentRequest(c);
  if (request) c.set("idempotentRequest", request);
  await next();
  if (!request || !c.error || c.error instanceof Replay) return;
  // Another try of the same request may have caused the refusal, and been answered.
  try {
    refuseRepeated(request, await selectFirstAnswer(db(c), request));
  } catch (error) {
    if (!(error instanceof Replay)) throw error;
    c.res = replayResponse(c, error);
  }
}

/** The answer to the first try, with a header that says so. */
export function replayResponse(c: Context<HonoEnv>, { status, body }: Replay): Response {
  const replayed = { "idempotent-replayed": "true" };
  // Answers are kept as done (200) or empty (204).
  if (body === null) return new Response(null, { status, headers: replayed });
  const etag = c.get("tagsItem") ? etagOfItem(JSON.parse(body)) : null;
  const headers = { ...replayed, "content-type": "application/json", ...(etag && { etag }) };
  if (!c.get("createsIn")) return new Response(body, { status, headers });
  return new Response(body, { status: 201, headers: { ...headers, location: locationOf(c, JSON.parse(body)) } });
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
  const body = await c.req.text();
  const hashWith = (secret: string | Uint8Array) =>
    createHmac("sha256", secret).update(new URL(c.req.url).search).update(body).digest("hex");
  const ring = keyRing(c.env);
  const [requestHash = "", ...others] = ring.map((one) => hashWith(deriveKey(one, "idempotency")));
  // Until November 2026 the key itself was the secret.
  const earlierHashes = [...others, ...ring.map(({ text }) => hashWith(text))];
  // The keys of a program are its own, not its creator's: no key has a space.
  const ownKey = actor.apiToken ? `token ${actor.apiToken.id} ${key}` : key;
  return { userId: actor.userId, operation: `${c.req.method} ${c.req.path}`, key: ownKey, requestHash, earlierHashes };
}
