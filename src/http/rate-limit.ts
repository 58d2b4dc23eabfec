import type { Context } from "hono";
import { configOf } from "../core/config.ts";
import { within } from "../core/load.ts";
import { tooManyRequests } from "../core/problem.ts";
import { ShortCache } from "../core/short-cache.ts";
import type { HonoEnv } from "./env.ts";
import { networkOf } from "./network.ts";
import { logError } from "./request-log.ts";

// Who asks too often is refused by the platform's counters (`[[ratelimits]]`), which say yes or no and nothing else.

/** Of every limit: what `[[ratelimits]]` has as `period`. */
export const WINDOW_SECONDS = 10;
const limiterMs = 1000;

/** Who is counted together: a user, a gateway's token, or an address that asks without a token. */
export type RateLimited = "user" | "gateway" | "address";

/** The values of RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-11). */
export interface RateLimitState {
  policy: string;
  limit: string;
}

const windows = new ShortCache<{ seen: number }>(WINDOW_SECONDS * 1000, 10_000);

/** Counts a request, and notes for the answer what is left. 429 when there were too many of the key's. */
export async function limitRate(c: Context<HonoEnv>, who: RateLimited, key: string | number): Promise<void> {
  const { limiter, quota } = limitOf(c.env, who);
  const { seen, secondsLeft } = countHere(`${who} ${key}`);
  // A limiter in trouble lets everyone in, and the log tells: the service can do without it.
  const asked = within(limiterMs, "the rate limiter", limiter.limit({ key: String(key) }));
  const { success } = await asked.catch((error) => {
    logError(c, error);
    return { success: true };
  });
  const [r, t] = success ? [Math.max(0, quota - seen), secondsLeft] : [0, WINDOW_SECONDS];
  c.set("rateLimit", { policy: `"${who}";q=${quota};w=${WINDOW_SECONDS}`, limit: `"${who}";r=${r};t=${t}` });
  if (!success) throw tooManyRequests(`More than ${quota} requests in ${WINDOW_SECONDS} s. Wait.`, WINDOW_SECONDS);
}

/** Counts a request by the network that it comes from; one that did not come over the network is not counted. */
export async function limitAddress(c: Context<HonoEnv>, purpose: "open" | "refused"): Promise<void> {
  const address = c.req.header("cf-connecting-ip");
  if (address !== undefined) await limitRate(c, "address", `${purpose} ${networkOf(address)}`);
}

function limitOf(env: Env, who: RateLimited): { limiter: RateLimit; quota: number } {
  if (who === "user") return { limiter: env.USER_LIMITER, quota: configOf(env).USER_RATE };
  if (who === "gateway") return { limiter: env.GATEWAY_LIMITER, quota: configOf(env).GATEWAY_RATE };
  return { limiter: env.ADDRESS_LIMITER, quota: configOf(env).ADDRESS_RATE };
}

/** What this isolate saw of a key, this request too, in a window that began with the first. */
function countHere(key: string): { seen: number; secondsLeft: number } {
  const now = Date.now();
  const fresh = { value: { seen: 0 }, readAt: now };
  const known = windows.get(key);
  if (!known) windows.set(key, fresh.value, now);
  const { value, readAt } = known ?? fresh;
  value.seen += 1;
  return { seen: value.seen, secondsLeft: Math.max(1, Math.ceil((readAt - now) / 1000) + WINDOW_SECONDS) };
}
