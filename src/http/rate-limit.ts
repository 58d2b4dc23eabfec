import type { Context } from "hono";
import { configOf } from "../core/config.ts";
import { tooManyRequests } from "../core/problem.ts";
import { ShortCache } from "../core/short-cache.ts";
import { within } from "../limits/load.ts";
import { clientAddressOf } from "./client-address.ts";
import type { HonoEnv } from "./env.ts";
import { networkOf } from "./network.ts";
import { logError } from "./request-log.ts";

// The platform's rate limiters (`[[ratelimits]]`) only answer yes or no; the remaining number is estimated here. Each isolate admits the
// first fifth of a caller's requests without a limiter, and the limiters allow the other four fifths. So a caller whose requests reach one
// isolate gets exactly its number, and each further isolate may add a fifth: with three of them 600 in 10 s can become 840.

/** The `period` of every limiter in `[[ratelimits]]`. */
export const WINDOW_SECONDS = 10;
const limiterMs = 1000;
/** The share of a caller's requests that an isolate admits without querying the limiter. The limiter allows the rest. */
const UNASKED = 1 / 5;

/** The key by which requests are counted: a user, an API token, a gateway token, or an address without a token. */
export type RateLimited = "user" | "token" | "gateway" | "address";

const windows = new ShortCache<{ seen: number }>(WINDOW_SECONDS * 1000, 10_000);

/** Counts a request, and records the remaining number for the RateLimit headers. 429 if the key has no requests left. */
export async function limitRate(c: Context<HonoEnv>, who: RateLimited, key: string | number): Promise<void> {
  const { limiter, quota } = limitOf(c.env, who);
  const { seen, secondsLeft } = countHere(`${who} ${key}`);
  const success = seen <= quota * UNASKED || (await isLetIn(c, limiter, String(key)));
  const [r, t] = success ? [Math.max(0, quota - seen), secondsLeft] : [0, WINDOW_SECONDS];
  c.set("rateLimit", { policy: `"${who}";q=${quota};w=${WINDOW_SECONDS}`, limit: `"${who}";r=${r};t=${t}` });
  if (!success) throw tooManyRequests(`More than ${quota} requests in ${WINDOW_SECONDS} s. Wait.`, WINDOW_SECONDS);
}

/** Queries the platform's limiter. If that fails, requests are admitted and the error is logged: the service works without it. */
async function isLetIn(c: Context<HonoEnv>, limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await within(limiterMs, "the rate limiter", limiter.limit({ key }))).success;
  } catch (error) {
    logError(c, error as Error);
    return true;
  }
}

/** Counts a request by the network of its client. Requests without an address, as in tests, are not counted. */
export async function limitAddress(c: Context<HonoEnv>, purpose: "open" | "refused"): Promise<void> {
  const address = clientAddressOf(c);
  if (address !== undefined) await limitRate(c, "address", `${purpose} ${networkOf(address)}`);
}

function limitOf(env: Env, who: RateLimited): { limiter: RateLimit; quota: number } {
  if (who === "user") return { limiter: env.USER_LIMITER, quota: configOf(env).USER_RATE };
  if (who === "token") return { limiter: env.TOKEN_LIMITER, quota: configOf(env).TOKEN_RATE };
  if (who === "gateway") return { limiter: env.GATEWAY_LIMITER, quota: configOf(env).GATEWAY_RATE };
  return { limiter: env.ADDRESS_LIMITER, quota: configOf(env).ADDRESS_RATE };
}

/** The requests of a key that this isolate has seen in the current window, including this one. */
function countHere(key: string): { seen: number; secondsLeft: number } {
  const now = Date.now();
  const fresh = { value: { seen: 0 }, readAt: now };
  const known = windows.get(key);
  if (!known) windows.set(key, fresh.value, now);
  const { value, readAt } = known ?? fresh;
  value.seen += 1;
  return { seen: value.seen, secondsLeft: Math.max(1, Math.ceil((readAt - now) / 1000) + WINDOW_SECONDS) };
}
