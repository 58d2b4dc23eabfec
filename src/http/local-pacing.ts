import type { Context, MiddlewareHandler } from "hono";
import { configOf } from "../core/config.ts";
import { Slots, within } from "../limits/load.ts";
import { overloaded, ownerOf } from "./admission.ts";
import { knownCompanyOf } from "./authenticate.ts";
import type { HonoEnv } from "./env.ts";

// For local runtimes only (LOCAL_PACING); on Cloudflare it does nothing.
//
// A local runtime does everything in one thread, and accepts new requests, a few at a time, only when it is idle. If all requests of a rush
// started at once, later ones would not be accepted until the first ones are done: they could not be refused, and their callers would wait in
// vain. So in a rush one request starts in each turn of the runtime. Cloudflare starts more isolates, and accepts requests as they arrive.
//
// It is in the Worker and not in scripts/, because whose turn it is depends on who asks, and whether a request is in progress on whether it
// waits for its body: both are only known here. `npm start` and `wrangler dev` have no other place that sees the requests first.

/** More requests in progress than this are a rush. It lasts for a while after the last time that they were more. */
const RUSH = 8;
const RUSH_MS = 5000;
/** A turn that lasts longer is considered over: its request is gone. */
const TURN_MS = 5000;
/** Longer than any request takes. */
const LEASE_MS = 60_000;

const underWay = new Slots(LEASE_MS);
/** Owner -> its requests that have not started yet. */
const inLine = new Slots(LEASE_MS);
let rushUntil = 0;
/** Owner -> resolves when the newest request in its line starts. */
const newestBegins = new Map<string, Promise<void>>();
/** Resolves when the current turn ends; null if no request has a turn. */
let turn: Promise<void> | null = null;

/**
 * Starts one request in each turn of the runtime during a rush. Owners take turns, so a long line of one does not delay another. Requests
 * that have started delay nobody, and those that wait for a body (`awaitsBody`) do not count towards a rush. Requests that an owner has in
 * line beyond the slots of the isolate get 503 at once: they would wait longer than their callers do.
 */
export const pace: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const config = configOf(c.env);
  if (!config.LOCAL_PACING) return await next();
  const leave = underWay.take("", Number.POSITIVE_INFINITY);
  const count = underWay.taken("");
  c.set("leavePace", leave ?? undefined);
  if (count > RUSH) rushUntil = Date.now() + RUSH_MS;
  try {
    if (count > 1 && Date.now() < rushUntil) {
      const owner = ownerOf(c, knownCompanyOf(c));
      const leaveLine = inLine.take(owner, config.MAX_REQUESTS_IN_FLIGHT);
      if (!leaveLine) throw overloaded();
      const begins = ownTurn(owner).finally(leaveLine);
      // Keeps the line moving even if this caller disconnects.
      c.executionCtx.waitUntil(begins);
      await begins;
    }
    await next();
  } finally {
    leave?.();
  }
};

/** Marks a request as waiting for its body, possibly for a long time. */
export function awaitsBody(c: Context<HonoEnv>): void {
  c.get("leavePace")?.();
}

/**
 * Waits for the owner's earlier requests, then for a turn, and keeps the turn for one turn of the runtime. Each owner has one request in the
 * queue for turns, which is first come, first served: so each of n owners gets every nth turn.
 */
async function ownTurn(owner: string): Promise<void> {
  const before = newestBegins.get(owner);
  const begins = Promise.withResolvers<void>();
  newestBegins.set(owner, begins.promise);
  if (before) await atMost(TURN_MS, before);
  while (turn) {
    const present: Promise<void> = turn;
    await atMost(TURN_MS, present);
    if (turn === present) turn = null;
  }
  const own = Promise.withResolvers<void>();
  turn = own.promise;
  begins.resolve();
  if (newestBegins.get(owner) === begins.promise) newestBegins.delete(owner);
  await scheduler.wait(1);
  if (turn === own.promise) turn = null;
  own.resolve();
}

/** Waits for a promise for at most `ms`. */
async function atMost(ms: number, promise: Promise<void>): Promise<void> {
  await within(ms, "the request before", promise).catch(() => {});
}
