import type { Context } from "hono";
import { configOf } from "../core/config.ts";
import type { PasswordClient } from "../core/password.ts";
import { unavailable } from "../core/problem.ts";
import { FairQueue, QueueFull, type QueueRules } from "../limits/fair-queue.ts";
import { clientAddressOf } from "./client-address.ts";
import type { HonoEnv } from "./env.ts";
import { networkOf } from "./network.ts";

// Limits how much work of each kind an isolate does at once. Each kind has its own queue, so filling one does not affect the others.

/** Expensive work, which has a smaller queue in addition to the one for all requests: reports and charts; pictures and other files. */
export type CostlyWork = "report" | "upload";

/** Longer than a request can wait for storage. */
const leaseMs = 60_000;

/** Longer than a file may take to arrive. */
const FILE_LEASE_MS = 6 * 3_600_000;

/**
 * The shortest pause between two password hashes. Hashing blocks the isolate, so waiting requests are served in between. Where the clock
 * runs during the hash (it does locally), the pause is as long as the hash took: half of the time is left for others.
 */
const HASH_PAUSE_MS = 100;

type Queues = Record<"requests" | "open" | "signIn" | "hash" | "calls" | "files" | CostlyWork, FairQueue>;

function queuesFor(maxRequests: number): Queues {
  const part = (share: number) => Math.max(1, Math.ceil(maxRequests * share));
  const queue = (rules: Omit<QueueRules, "leaseMs">) => new FairQueue({ ...rules, leaseMs });
  const requests = { slots: maxRequests, alone: part(3 / 4), share: part(1 / 16), waiting: part(1 / 4), waitMs: 2000 };
  const quarter = { slots: part(1 / 4), alone: part(3 / 16), share: part(1 / 16), waiting: part(1 / 4), waitMs: 2000 };
  return {
    requests: queue({ what: "requests", ...requests }),
    open: queue({ what: "requests without a token", ...quarter }),
    signIn: queue({ what: "tokens to look up", ...quarter }),
    // Hashing blocks the isolate's only thread: two at once would just take twice as long.
    hash: queue({ what: "passwords to check", slots: 1, alone: 1, share: 1, waiting: 12, waitMs: 5000 }),
    report: queue({
      what: "reports",
      slots: part(1 / 8),
      alone: part(3 / 32),
      share: part(1 / 32),
      waiting: part(1 / 4),
      waitMs: 5000,
    }),
    // Each holds a connection, but neither the thread nor storage.
    calls: queue({
      what: "calls of receivers",
      slots: part(1 / 2),
      alone: part(1 / 8),
      share: part(1 / 16),
      waiting: part(1 / 8),
      waitMs: 2000,
    }),
    // Each holds some 10 MB of a file that is stored while it arrives, which may take an hour.
    files: new FairQueue({ what: "files", slots: 3, alone: 2, share: 1, waiting: 2, waitMs: 2000, leaseMs: FILE_LEASE_MS }),
    // Reading and resizing a picture takes four times its size, and an isolate has 128 MB.
    upload: queue({ what: "uploads", slots: 3, alone: 2, share: 1, waiting: 4, waitMs: 5000 }),
  };
}

const queues = new Map<number, Queues>();

function queuesOf(env: Env): Queues {
  const maxRequests = configOf(env).MAX_REQUESTS_IN_FLIGHT;
  const known = queues.get(maxRequests) ?? queuesFor(maxRequests);
  queues.set(maxRequests, known);
  return known;
}

/** The owner whose share a request counts against: its company if known, otherwise the network of the client. */
export function ownerOf(c: Context<HonoEnv>, companyId = c.get("actor")?.companyId): string {
  return companyId !== undefined ? `company ${companyId}` : `network ${networkOf(clientAddressOf(c) ?? "")}`;
}

/** Owner -> the number of its requests that are being checked and have not asked for a slot yet. */
const pendingChecks = new Map<string, number>();

/**
 * Checks a request before it requests a slot. If no slot would be left for it, counting its owner's requests that are being checked, it is
 * refused with 503 before any work is done for it.
 */
export async function checkAdmission(c: Context<HonoEnv>, check: () => Promise<void>): Promise<void> {
  const { requests, open } = queuesOf(c.env);
  const owner = ownerOf(c);
  const others = pendingChecks.get(owner) ?? 0;
  if ((c.get("actor") ? requests : open).left(owner) <= others) throw overloaded();
  pendingChecks.set(owner, others + 1);
  try {
    await check();
  } finally {
    const left = (pendingChecks.get(owner) ?? 1) - 1;
    if (left > 0) pendingChecks.set(owner, left);
    else pendingChecks.delete(owner);
  }
}

/** Does a request's work in a slot of its own; expensive work also needs one in its own queue. 503 if none becomes free in time. */
export async function withSlot(c: Context<HonoEnv>, costly: CostlyWork | undefined, work: () => Promise<void>): Promise<void> {
  const { requests, open, ...others } = queuesOf(c.env);
  const leave = await takeSlot(c, c.get("actor") ? requests : open);
  c.set("leaveSlot", leave);
  try {
    await (costly ? withSlotOf(c, others[costly], work) : work());
  } finally {
    leave();
  }
}

/** Gives the request's slot back, and waits for a call to a receiver outside in a slot for such calls. 503 if none becomes free in time. */
export function outside<E extends HonoEnv, T>(c: Context<E>, call: () => Promise<T>): Promise<T> {
  const context = c as unknown as Context<HonoEnv>;
  context.get("leaveSlot")?.();
  return withSlotOf(context, queuesOf(context.env).calls, call);
}

/** Gives the request's slot back, and receives a long file in a slot for such files. 503 if none becomes free in time. */
export function receiving<T>(c: Context<HonoEnv>, receive: () => Promise<T>): Promise<T> {
  c.get("leaveSlot")?.();
  return withSlotOf(c, queuesOf(c.env).files, receive);
}

/** Looks up the owner of a token in storage. 503 when too many are being looked up already. */
export function lookingUp<T>(c: Context<HonoEnv>, work: () => Promise<T>): Promise<T> {
  return withSlotOf(c, queuesOf(c.env).signIn, work);
}

/** Hashes passwords one at a time and with pauses for other requests. 503 if too many are waiting. */
async function hashing<E extends HonoEnv, T>(c: Context<E>, hash: () => Promise<T>): Promise<T> {
  const context = c as unknown as Context<HonoEnv>;
  const leave = await takeSlot(context, queuesOf(context.env).hash);
  const startedAt = Date.now();
  try {
    return await hash();
  } finally {
    const pauseMs = Math.max(HASH_PAUSE_MS, Date.now() - startedAt);
    context.executionCtx.waitUntil(scheduler.wait(pauseMs).then(leave));
  }
}

/** The client of a request, for checking passwords. */
export function passwordClientOf<E extends HonoEnv>(c: Context<E>): PasswordClient {
  const context = c as unknown as Context<HonoEnv>;
  const address = clientAddressOf(context) ?? "local";
  return {
    address,
    network: networkOf(address),
    refuseHashing() {
      if (queuesOf(context.env).hash.left(ownerOf(context)) <= 0) throw overloaded();
    },
    hashing: (hash) => hashing(context, hash),
  };
}

async function withSlotOf<T>(c: Context<HonoEnv>, queue: FairQueue, work: () => Promise<T>): Promise<T> {
  const leave = await takeSlot(c, queue);
  try {
    return await work();
  } finally {
    leave();
  }
}

async function takeSlot(c: Context<HonoEnv>, queue: FairQueue): Promise<() => void> {
  try {
    return await queue.enter(ownerOf(c));
  } catch (error) {
    throw error instanceof QueueFull ? overloaded() : error;
  }
}

/** The 503 for a request that gets no slot. */
export function overloaded() {
  return unavailable("The service is overloaded. Try again.", 1);
}
