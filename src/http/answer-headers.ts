import type { MiddlewareHandler } from "hono";
import type { HonoEnv } from "./env.ts";

/** Sets what every answer carries: no caching unless the operation said otherwise, the bookmark, and where the time went. */
export const answerHeaders: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const startedAt = Date.now();
  await next();
  if (!c.res.headers.has("cache-control")) c.header("cache-control", "private, no-store");
  const { db } = c.var;
  const timings = [`total;dur=${Date.now() - startedAt}`];
  if (db) {
    const { trips, durationMs } = db.usage;
    timings.unshift(`d1;dur=${durationMs};desc="${trips} ${trips === 1 ? "trip" : "trips"}"`);
    const bookmark = db.bookmark();
    if (bookmark) c.header("x-d1-bookmark", bookmark);
  }
  c.header("server-timing", timings.join(", "));
};
