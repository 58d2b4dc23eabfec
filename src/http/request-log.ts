import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { rootOf } from "../db/errors.ts";
import type { HonoEnv } from "./env.ts";
import { RequestSummary } from "./request-summary.ts";
import { isReading } from "./session.ts";

// JSON lines about requests. They have the route's pattern, never the path or query: those can hold secrets.

/** A request that took longer has a line of its own. */
const SLOW_MS = 1000;

/**
 * Logs a request when its answer is ready: with a line of its own if it was refused, failed, was slow, or is a person's write, or if `REQUEST_LOG` is
 * `all`. The others are counted: see `RequestSummary`.
 */
export const requestLog: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const startedAt = Date.now();
  await next();
  const now = Date.now();
  const { actor, dbUsage, objectUsage, requestId } = c.var;
  const durationMs = now - startedAt;
  const cost = {
    dbTrips: dbUsage?.trips ?? 0,
    rowsRead: dbUsage?.rowsRead ?? 0,
    rowsWritten: dbUsage?.rowsWritten ?? 0,
    objectCalls: objectUsage?.calls ?? 0,
  };
  const of = { method: c.req.method, route: routePath(c, -1) };
  for (const summary of summaries.endBefore(now)) console.log(JSON.stringify(summary));
  const isAlone = c.res.status >= 400 || durationMs > SLOW_MS || isWriteOfPerson(c);
  if (c.env.REQUEST_LOG !== "all" && !isAlone) return summaries.add(of, cost, durationMs, now);
  const callerRequestId = c.req.header("x-request-id") ?? "";
  const line = {
    requestId,
    ...(/^[\x21-\x7e]{1,64}$/.test(callerRequestId) && { callerRequestId }),
    ...of,
    status: c.res.status,
    role: actor?.kind === "user" ? actor.role : actor?.kind,
    companyId: actor?.companyId,
    actorId: actor?.kind === "user" ? actor.userId : actor?.gatewayTokenId,
    ...(actor?.kind === "user" && actor.apiToken && { apiTokenId: actor.apiToken.id }),
    ...cost,
    durationMs,
  };
  console.log(JSON.stringify(line));
};

/** Of this isolate. */
const summaries = new RequestSummary();

/** True for what a user does, not a gateway or a program: also for a login, which has no token yet. */
function isWriteOfPerson(c: Context<HonoEnv>): boolean {
  const { actor } = c.var;
  const isPerson = actor === undefined || (actor.kind === "user" && !actor.apiToken);
  return isPerson && !isReading(c) && c.req.method !== "OPTIONS";
}

/** How a file transfer ended: the caller may have disconnected, or taken nothing for too long. */
export type TransferEnd = "complete" | "failed" | "left" | "given up";

/** Logs the end of a file that was sent part by part, unless it is as usual. Its request was logged when it began. */
export function logTransfer(c: Context<HonoEnv>, transfer: { file: TransferEnd; rows: number; durationMs: number }): void {
  if (c.env.REQUEST_LOG !== "all" && transfer.file === "complete" && transfer.durationMs <= SLOW_MS) return;
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
    .replace(/\b(andon_(?:gw|api|term|pair)_|whsec_|eyJ)[\w.+/=-]+/g, "…")
    .replace(/[^\s<>()]+/g, (word) => (word.includes("@") ? "…" : word));
}
