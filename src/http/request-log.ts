import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { HonoEnv } from "./env.ts";

// One JSON line a request. The route's pattern stands in it, never the path or the query: those can hold secrets.

/** Writes a line when the answer is ready, whatever it is. */
export const requestLog: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const startedAt = Date.now();
  await next();
  const { actor, db, requestId } = c.var;
  const line = {
    requestId,
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    role: actor?.kind === "user" ? actor.role : actor?.kind,
    companyId: actor?.companyId,
    dbTrips: db?.usage.trips ?? 0,
    rowsRead: db?.usage.rowsRead ?? 0,
    rowsWritten: db?.usage.rowsWritten ?? 0,
    durationMs: Date.now() - startedAt,
  };
  console.log(JSON.stringify(line));
};

/** Writes what a 500 or 503 keeps from its caller. */
export function logError(c: Context<HonoEnv>, error: Error): void {
  const { name, message, stack } = error;
  console.error(JSON.stringify({ requestId: c.var.requestId, route: routePath(c, -1), error: { name, message, stack } }));
}
