import type { Context } from "hono";
import { configOf } from "../core/config.ts";
import { FairRoom, RoomFull, type RoomRules } from "../core/fair-room.ts";
import { unavailable } from "../core/problem.ts";
import type { HonoEnv } from "./env.ts";
import { networkOf } from "./network.ts";

// How much of each kind of work an isolate does at once. Each kind has a room of its own: what fills one leaves the others as they are.

/** A kind of work with a smaller room inside that of all requests: reports and charts, and pictures and other files. */
export type CostlyWork = "report" | "upload";

/** Longer than a request can wait for storage. */
const leaseMs = 60_000;

/**
 * How long nobody's password is hashed after one was, at least. Hashing stops the isolate: requests that waited meanwhile are served now.
 * A clock that does not stand still during it tells how long it took; half of the time is for the others then.
 */
const HASH_PAUSE_MS = 100;

type Rooms = Record<"requests" | "open" | "signIn" | "hash" | CostlyWork, FairRoom>;

function roomsFor(maxRequests: number): Rooms {
  const part = (share: number) => Math.max(1, Math.ceil(maxRequests * share));
  const room = (rules: Omit<RoomRules, "leaseMs">) => new FairRoom({ ...rules, leaseMs });
  const requests = { places: maxRequests, alone: part(3 / 4), share: part(1 / 16), waiting: part(1 / 4), waitMs: 2000 };
  const quarter = { places: part(1 / 4), alone: part(3 / 16), share: part(1 / 16), waiting: part(1 / 4), waitMs: 2000 };
  return {
    requests: room({ what: "requests", ...requests }),
    open: room({ what: "requests without a token", ...quarter }),
    signIn: room({ what: "tokens to look up", ...quarter }),
    // Hashing does not leave the isolate's thread, so two at once would only take twice as long.
    hash: room({ what: "passwords to check", places: 1, alone: 1, share: 1, waiting: 12, waitMs: 5000 }),
    report: room({
      what: "reports",
      places: part(1 / 8),
      alone: part(3 / 32),
      share: part(1 / 32),
      waiting: part(1 / 4),
      waitMs: 5000,
    }),
    // A picture of 5 MB takes four times as much while it is read and made smaller; an isolate has 128 MB.
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

/** Who shares with others what a request takes: the company of whoever signed in, else the network it comes from. */
export function ownerOf(c: Context<HonoEnv>): string {
  const actor = c.get("actor");
  return actor ? `company ${actor.companyId}` : `network ${networkOf(c.req.header("cf-connecting-ip") ?? "")}`;
}

/** Owner -> how many of its requests are being checked before they ask for a place. */
const atDoor = new Map<string, number>();

/**
 * Checks a request before it asks for a place. 503 at once, before anything is spent on it, when there would be none for it and for those
 * of its owner that are being checked already: of many that come at the same moment no more than there is room for go on.
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

/** Does a request's work in a place of its own, costly work in one of each room. 503 when it gets none in time. */
export async function inPlace(c: Context<HonoEnv>, costly: CostlyWork | undefined, work: () => Promise<void>): Promise<void> {
  const { requests, open, ...others } = roomsOf(c.env);
  const room = c.get("actor") ? requests : open;
  await inRoom(c, room, () => (costly ? inRoom(c, others[costly], work) : work()));
}

/** Looks up in storage whose a token is. 503 when too many are looked up already. */
export function lookingUp<T>(c: Context<HonoEnv>, work: () => Promise<T>): Promise<T> {
  return inRoom(c, roomsOf(c.env).signIn, work);
}

/** Hashes a password when it is its turn: one at a time, and what else waits in the isolate comes in between. 503 when there are too many. */
export async function hashing<E extends HonoEnv, T>(c: Context<E>, hash: () => Promise<T>): Promise<T> {
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

/** 503 when a password would not be hashed now, before its attempt is counted. */
export function refuseHashing<E extends HonoEnv>(c: Context<E>): void {
  const context = c as unknown as Context<HonoEnv>;
  if (roomsOf(context.env).hash.left(ownerOf(context)) <= 0) throw noRoom();
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

function noRoom() {
  return unavailable("There is more to do than can be done at once. Try again.", 1);
}
