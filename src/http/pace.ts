import type { Context, MiddlewareHandler } from "hono";
import { Places, within } from "../load.ts";
import { knownCompanyOf } from "./actor.ts";
import type { HonoEnv } from "./env.ts";
import { networkOf } from "./network.ts";
import { unavailable } from "./problem.ts";

// A local runtime does everything in one thread, and looks for new requests, a few at a time, only when nothing is left to do. If a rush
// began all at once, those behind would stay out of sight until the first ones are done: nobody could refuse them, and their callers
// would wait in vain. So in a rush one request begins in each turn of the runtime.

/** More requests under way than these are a rush, which lasts for a while beyond the last sign of it. */
const RUSH = 8;
const RUSH_MS = 5000;
/** How long a request waits for the one before it at most. */
const TURN_MS = 5000;
/** Longer than a request lasts. */
const LEASE_MS = 60_000;

const underWay = new Places(LEASE_MS);
/** Owner -> its requests that have not begun yet. */
const inLine = new Places(LEASE_MS);
let rushUntil = 0;
/** Resolves when the newest request in line begins. */
let newestBegins = Promise.resolve();

/**
 * Lets one request begin in each turn of the runtime while there is a rush. What has begun holds up nobody; who waits for a body
 * (`awaitsBody`) is no part of a rush. 503 at once for what an owner has in line beyond the places of the isolate: it would wait
 * longer than its caller does.
 */
export const pace: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const leave = underWay.take("", Number.POSITIVE_INFINITY);
  const count = underWay.taken("");
  c.set("leavePace", leave ?? undefined);
  if (count > RUSH) rushUntil = Date.now() + RUSH_MS;
  try {
    if (count > 1 && Date.now() < rushUntil) {
      const leaveLine = inLine.take(ownerOf(c), Number(c.env.MAX_REQUESTS_IN_FLIGHT));
      if (!leaveLine) throw unavailable("There is more to do than can be done at once. Try again.", 1);
      const turn = ownTurn().finally(leaveLine);
      // The line moves on when this caller has left it.
      c.executionCtx.waitUntil(turn);
      await turn;
    }
    await next();
  } finally {
    leave?.();
  }
};

/** Who is in line: the company of a token that is known to be genuine, otherwise the network that the request comes from. */
function ownerOf(c: Context<HonoEnv>): string {
  const companyId = knownCompanyOf(c);
  return companyId === undefined ? `network ${networkOf(c.req.header("cf-connecting-ip") ?? "")}` : `company ${companyId}`;
}

/** Says that a request waits for its body now, perhaps for long. */
export function awaitsBody(c: Context<HonoEnv>): void {
  c.get("leavePace")?.();
}

async function ownTurn(): Promise<void> {
  const before = newestBegins;
  const { promise, resolve } = Promise.withResolvers<void>();
  newestBegins = promise;
  await within(TURN_MS, "the request before", before).catch(() => {});
  await scheduler.wait(1);
  resolve();
}
