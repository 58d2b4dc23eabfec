import type { Context } from "hono";
import { configOf } from "../core/config.ts";
import type { PasswordClient } from "../core/password.ts";
import { unavailable } from "../core/problem.ts";
import { FairRoom, RoomFull, type RoomRules } from "../limits/fair-room.ts";
import { clientAddressOf } from "./client-address.ts";
import type { HonoEnv } from "./env.ts";
import { networkOf } from "./network.ts";

// Limits how much work of each kind an isolate does at once. Each kind has its own room, so filling one does not affect the others.

/** Expensive work, which has a smaller room in addition to the one for all requests: reports and charts; pictures and other files. */
export type CostlyWork = "report" | "upload";

/** Longer than a request can wait for storage. */
const leaseMs = 60_000;

/**
 * The shortest pause between two password hashes. Hashing blocks the isolate, so waiting requests are served in between. Where the clock
 * runs during the hash (it does locally), the pause is as long as the hash took: half of the time is left for others.
 */
const HASH_PAUSE_MS = 100;

type Rooms = Record<"requests" | "open" | "signIn" | "hash" | "calls" | CostlyWork, FairRoom>;

function roomsFor(maxRequests: number): Rooms {
  const part = (share: number) => Math.max(1, Math.ceil(maxRequests * share));
  const room = (rules: Omit<RoomRules, "leaseMs">) => new FairRoom({ ...rules, leaseMs });
  const requests = { places: maxRequests, alone: part(3 / 4), share: part(1 / 16), waiting: part(1 / 4), waitMs: 2000 };
  const quarter = { places: part(1 / 4), alone: part(3 / 16), share: part(1 / 16), waiting: part(1 / 4), waitMs: 2000 };
  return {
    requests: room({ what: "requests", ...requests }),
    open: room({ what: "requests without a token", ...quarter }),
    signIn: room({ what: "tokens to look up", ...quarter }),
    // Hashing blocks the isolate's only thread: two at once would just take twice as long.
    hash: room({ what: "passwords to check", places: 1, alone: 1, share: 1, waiting: 12, waitMs: 5000 }),
    report: room({
      what: "reports",
      places: part(1 / 8),
      alone: part(3 / 32),
      share: part(1 / 32),
      waiting: part(1 / 4),
      waitMs: 5000,
    }),
    // Each holds a connection, but neither the thread nor storage.
    calls: room({
      what: "calls of receivers",
      places: part(1 / 2),
      alone: part(1 / 8),
      share: part(1 / 16),
      waiting: part(1 / 8),
      waitMs: 2000,
    }),
    // Reading and resizing a picture takes four times its size, and an isolate has 128 MB.
    upload: room({ what: "uploads", places: 3, alone: 2, share: 1, waiting: 4, waitMs: 5000 }),
  };
}

const rooms = new Map<number, Rooms>();

function roomsOf(env: Env): Rooms {
  const maxRequests = configOf(env).MAX_REQUESTS_IN_FLIGHT;
  const known = rooms.get(maxRequests) ?? roomsFor(maxRequests);
  rooms.set(maxRequests, known);
  return known;
}

/** The owner whose share a request counts against: its company if known, otherwise the network of the client. */
export function ownerOf(c: Context<HonoEnv>, companyId = c.get("actor")?.companyId): string {
  return companyId !== undefined ? `company ${companyId}` : `network ${networkOf(clientAddressOf(c) ?? "")}`;
}

/** Owner -> the number of its requests that are being checked and have not asked for a place yet. */
const atDoor = new Map<string, number>();

/**
 * Checks a request before it requests a place. If no place would be left for it, counting its owner's requests that are being checked, it is
 * refused with 503 before any work is done for it.
 */
export async function checkAtDoor(c: Context<HonoEnv>, check: () => Promise<void>): Promise<void> {
  const { requests, open } = roomsOf(c.env);
  const owner = ownerOf(c);
  const others = atDoor.get(owner) ?? 0;
  if ((c.get("actor") ? requests : open).left(owner) <= others) throw noRoom();
  atDoor.set(owner, others + 1);
  try {
    await check();
  } finally {
    const left = (atDoor.get(owner) ?? 1) - 1;
    if (left > 0) atDoor.set(owner, left);
    else atDoor.delete(owner);
  }
}

/** Does a request's work in a place of its own; expensive work also needs one in its own room. 503 if none becomes free in time. */
export async function inPlace(c: Context<HonoEnv>, costly: CostlyWork | undefined, work: () => Promise<void>): Promise<void> {
  const { requests, open, ...others } = roomsOf(c.env);
  const leave = await entered(c, c.get("actor") ? requests : open);
  c.set("leavePlace", leave);
  try {
    await (costly ? inRoom(c, others[costly], work) : work());
  } finally {
    leave();
  }
}

/** Gives the request's place back, and waits for a call to a receiver outside in a place for such calls. 503 if none becomes free in time. */
export function outside<E extends HonoEnv, T>(c: Context<E>, call: () => Promise<T>): Promise<T> {
  const context = c as unknown as Context<HonoEnv>;
  context.get("leavePlace")?.();
  return inRoom(context, roomsOf(context.env).calls, call);
}

/** Looks up the owner of a token in storage. 503 when too many are being looked up already. */
export function lookingUp<T>(c: Context<HonoEnv>, work: () => Promise<T>): Promise<T> {
  return inRoom(c, roomsOf(c.env).signIn, work);
}

/** Hashes passwords one at a time and with pauses for other requests. 503 if too many are waiting. */
async function hashing<E extends HonoEnv, T>(c: Context<E>, hash: () => Promise<T>): Promise<T> {
  const context = c as unknown as Context<HonoEnv>;
  const leave = await entered(context, roomsOf(context.env).hash);
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
      if (roomsOf(context.env).hash.left(ownerOf(context)) <= 0) throw noRoom();
    },
    hashing: (hash) => hashing(context, hash),
  };
}

async function inRoom<T>(c: Context<HonoEnv>, room: FairRoom, work: () => Promise<T>): Promise<T> {
  const leave = await entered(c, room);
  try {
    return await work();
  } finally {
    leave();
  }
}

async function entered(c: Context<HonoEnv>, room: FairRoom): Promise<() => void> {
  try {
    return await room.enter(ownerOf(c));
  } catch (error) {
    throw error instanceof RoomFull ? noRoom() : error;
  }
}

/** The 503 for a request that gets no place. */
export function noRoom() {
  return unavailable("The service is overloaded. Try again.", 1);
}
