import type { MiddlewareHandler } from "hono";
import { Places, within } from "../load.ts";
import type { HonoEnv } from "./env.ts";
import { unavailable } from "./problem.ts";

/** Longer than a request can wait for storage. */
const leaseMs = 60_000;
const requests = new Places(leaseMs);

/** More requests at once than these are a rush, which lasts for a while beyond the last sign of it. */
const RUSH = 8;
const RUSH_MS = 5000;
let rushUntil = 0;

/** How long a request waits for the one before it at most. */
const LINE_MS = 5000;
/** Resolves when the newest request in line begins its work. */
let newestBegins = Promise.resolve();

/** Answers 503 at once while this isolate has MAX_REQUESTS_IN_FLIGHT: more would only wait for each other. */
export const shedLoad: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const leave = requests.take("", Number(c.env.MAX_REQUESTS_IN_FLIGHT));
  const inFlight = requests.taken("");
  if (inFlight > RUSH) rushUntil = Date.now() + RUSH_MS;
  if (!leave) throw unavailable("There is more to do than can be done at once. Try again.", 1);
  try {
    if (inFlight > 1 && Date.now() < rushUntil) {
      const turn = ownTurn();
      // The line moves on when this caller has left it.
      c.executionCtx.waitUntil(turn);
      await turn;
    }
    await next();
  } finally {
    leave();
  }
};

/**
 * Stands in line for a turn of the runtime in which no other request begins. The runtime looks for new requests, a few at a time, when
 * nothing is left to do: if it began all of a rush at once, it would see the next ones when these are done, and never too many.
 */
async function ownTurn(): Promise<void> {
  const before = newestBegins;
  const { promise, resolve } = Promise.withResolvers<void>();
  newestBegins = promise;
  await within(LINE_MS, "the request before", before).catch(() => {});
  await scheduler.wait(1);
  resolve();
}
