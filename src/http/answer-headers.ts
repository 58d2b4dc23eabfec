import type { MiddlewareHandler } from "hono";
import { withDatabase } from "../db/bookmark.ts";
import type { HonoEnv } from "./env.ts";
import { ignoredMembersText } from "./validation.ts";

/** Every answer is data, never a page, and no page may embed it. */
const security = {
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Sets the headers of every answer, unless an operation has set them. Answers to signed-in callers are never cached by others. */
export const answerHeaders: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const startedAt = Date.now();
  await next();
  // The headers of a WebSocket handshake cannot be changed.
  if (c.res.status === 101) return;
  const { actor, rateLimit, db, dbUsage, objectUsage, ignoredMembers } = c.var;
  // `c.header` would make a new response for each header.
  const { headers } = c.res;
  // Missing from responses that an operation has made itself.
  headers.set("x-request-id", c.get("requestId"));
  for (const [name, value] of Object.entries(security)) if (!headers.has(name)) headers.set(name, value);
  if (actor || !headers.has("cache-control")) headers.set("cache-control", "private, no-store");
  if (rateLimit) {
    headers.set("ratelimit-policy", rateLimit.policy);
    headers.set("ratelimit", rateLimit.limit);
  }
  if (ignoredMembers) headers.set("x-ignored-members", ignoredMembersText(ignoredMembers));
  const bookmark = db?.bookmark();
  if (db && bookmark) headers.set("x-d1-bookmark", withDatabase({ database: db.number, bookmark }));
  const timings = [
    ...(dbUsage ? [timing("d1", dbUsage.durationMs, dbUsage.trips, "trip")] : []),
    ...(objectUsage?.calls ? [timing("objects", objectUsage.durationMs, objectUsage.calls, "call")] : []),
    `total;dur=${Date.now() - startedAt}`,
  ];
  headers.set("server-timing", timings.join(", "));
};

function timing(name: string, durationMs: number, count: number, unit: string): string {
  return `${name};dur=${durationMs};desc="${count} ${unit}${count === 1 ? "" : "s"}"`;
}
