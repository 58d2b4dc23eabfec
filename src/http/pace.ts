import type { Context, MiddlewareHandler } from "hono";
import { configOf } from "../core/config.ts";
import { Places, within } from "../core/load.ts";
import { knownCompanyOf } from "./authenticate.ts";
import type { HonoEnv } from "./env.ts";
import { noRoom, ownerOf } from "./rooms.ts";

// A local runtime does everything in one thread, and looks for new requests, a few at a time, only when nothing is left to do. If a rush
// began all at once, those behind would stay out of sight until the first ones are done: nobody could refuse them, and their callers
// would wait in vain. So in a rush one request begins in each turn of the runtime. Off (LOCAL_PACING) on Cloudflare, which starts more isolates
// and takes up requests as they come.

/** More requests under way than these are a rush, which lasts for a while beyond the last sign of it. */
const RUSH = 8;
const RUSH_MS = 5000;
/** A turn that lasts longer counts as over: its request is gone. */
const TURN_MS = 5000;
/** Longer than a request lasts. */
const LEASE_MS = 60_000;

const underWay = new Places(LEASE_MS);
/** Owner -> its requests that have not begun yet. */
const inLine = new Places(LEASE_MS);
let rushUntil = 0;
/** Owner -> resolves when the newest request of its line begins. */
const newestBegins = new Map<string, Promise<void>>();
/** Resolves when the present turn ends; null: nobody has one. */
let turn: Promise<void> | null = null;

/**
 * Lets one request begin in each turn of the runtime while there is a rush. Owners take turns, so a long line of one is no wait for
 * another. What has begun holds up nobody; who waits for a body (`awaitsBody`) is no part of a rush. 503 at once for what an owner has in
 * line beyond the places of the isolate: it would wait longer than its caller does.
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
      if (!leaveLine) throw noRoom();
      const begins = ownTurn(owner).finally(leaveLine);
      // The line moves on when this caller has left it.
      c.executionCtx.waitUntil(begins);
      await begins;
    }
    await next();
  } finally {
    leave?.();
  }
};

/** Says that a request waits for its body now, perhaps for long. */
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

/** Waits for a promise, `ms` at most. */
async function atMost(ms: number, promise: Promise<void>): Promise<void> {
  await within(ms, "the request before", promise).catch(() => {});
}
