import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { rootOf } from "../db/errors.ts";
import type { HonoEnv } from "./env.ts";

// One JSON line per request. It has the route's pattern, never the path or query: those can hold secrets.

/** Logs every request when its answer is ready. */
export const requestLog: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const startedAt = Date.now();
  await next();
  const { actor, dbUsage, objectUsage, requestId } = c.var;
  const callerRequestId = c.req.header("x-request-id") ?? "";
  const line = {
    requestId,
    ...(/^[\x21-\x7e]{1,64}$/.test(callerRequestId) && { callerRequestId }),
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    role: actor?.kind === "user" ? actor.role : actor?.kind,
    companyId: actor?.companyId,
    actorId: actor?.kind === "user" ? actor.userId : actor?.gatewayTokenId,
    ...(actor?.kind === "user" && actor.apiToken && { apiTokenId: actor.apiToken.id }),
    dbTrips: dbUsage?.trips ?? 0,
    rowsRead: dbUsage?.rowsRead ?? 0,
    rowsWritten: dbUsage?.rowsWritten ?? 0,
    objectCalls: objectUsage?.calls ?? 0,
    durationMs: Date.now() - startedAt,
  };
  console.log(JSON.stringify(line));
};

/** How a file transfer ended: the caller may have disconnected, or taken nothing for too long. */
export type TransferEnd = "complete" | "failed" | "left" | "given up";

/** Logs the end of a file that was sent part by part. The line of its request was written when it began. */
export function logTransfer(c: Context<HonoEnv>, transfer: { file: TransferEnd; rows: number; durationMs: number }): void {
  const { dbUsage, requestId } = c.var;
  const usage = { dbTrips: dbUsage?.trips ?? 0, rowsRead: dbUsage?.rowsRead ?? 0 };
  console.log(JSON.stringify({ requestId, route: routePath(c, -1), ...transfer, ...usage }));
}

/** Logs the error behind a 500 or 503. */
export function logError(c: Context<HonoEnv>, error: Error): void {
  const { name, message, stack = "" } = rootOf(error);
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  const loggedError = { name, message: withoutValues(message), stack: frames.join("\n") };
  console.error(JSON.stringify({ requestId: c.var.requestId, route: routePath(c, -1), error: loggedError }));
}

/** An error's message without possibly personal or secret parts: parameters, quoted text, tokens, e-mail addresses. */
function withoutValues(message: string): string {
  return message
    .replace(/\bparams: .*/s, "params: …")
    .replace(/".*"/gs, '"…"')
    .replace(/\b(andon_(?:gw|api)_|whsec_|eyJ)[\w.+/=-]+/g, "…")
    .replace(/[^\s<>()]+/g, (word) => (word.includes("@") ? "…" : word));
}
