import type { MiddlewareHandler } from "hono";
import { Places } from "../load.ts";
import type { HonoEnv } from "./env.ts";
import { unavailable } from "./problem.ts";

/** Longer than a request can wait for storage. */
const leaseMs = 60_000;
const requests = new Places(leaseMs);

/**
 * So many at once need not wait for a moment of their own. Far fewer than the local runtime takes up at a time, which is 16: what it
 * runs to its end at once keeps all others out of sight, nothing is refused, and under a lasting load nobody is answered in time.
 */
const UNPACED = 2;
/** When the last request began its work, by `performance.now()`. */
let begunAt = 0;

/** Answers 503 at once while this isolate has MAX_REQUESTS_IN_FLIGHT: more would only wait for each other. */
export const shedLoad: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const leave = requests.take("", Number(c.env.MAX_REQUESTS_IN_FLIGHT));
  if (!leave) throw unavailable("There is more to do than can be done at once. Try again.", 1);
  try {
    if (requests.taken("") > UNPACED) await begin();
    await next();
  } finally {
    leave();
  }
};

/**
 * Waits for a moment of its own. What has come meanwhile is taken in between, and counted: requests that begin all at once
 * keep the others out of sight, where they cannot be refused.
 */
async function begin(): Promise<void> {
  while (Math.abs(performance.now() - begunAt) < 1) await scheduler.wait(1);
  begunAt = performance.now();
}
