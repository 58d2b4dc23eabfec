import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { configOf } from "../core/config.ts";
import type { HonoEnv } from "./env.ts";
import { isHandshake } from "./socket.ts";

const answer = cors({
  origin: (origin, c) => (configOf(c.env).CORS_ORIGINS.includes(origin) ? origin : null),
  allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  allowHeaders: [
    "authorization",
    "content-encoding",
    "content-type",
    "idempotency-key",
    "if-match",
    "if-none-match",
    "x-d1-bookmark",
    "x-request-id",
  ],
  exposeHeaders: [
    "x-request-id",
    "x-d1-bookmark",
    "etag",
    "x-ignored-members",
    "allow",
    "content-disposition",
    "location",
    "idempotent-replayed",
    "ratelimit",
    "ratelimit-policy",
    "retry-after",
    "server-timing",
    "www-authenticate",
  ],
  maxAge: 7200,
});

/** Lets the pages of CORS_ORIGINS call the API. An OPTIONS request that is no preflight passes on. */
export const crossOrigin: MiddlewareHandler<HonoEnv> = async (c, next) => {
  // CORS does not cover WebSockets: their operation looks at the origin itself.
  if (isHandshake(c)) return await next();
  if (c.req.header("origin") !== undefined) {
    const isPreflight = c.req.header("access-control-request-method") !== undefined;
    return c.req.method !== "OPTIONS" || isPreflight ? answer(c, next) : next();
  }
  await next();
  // This answer has no CORS headers, so caches must not serve it to pages of other origins.
  c.res.headers.append("vary", "Origin");
};
