import type { Context } from "hono";
import type { Caller, OwnGateway, Sender, Visitor } from "../core/caller.ts";
import { newObjectUsage, type ObjectUsage } from "../core/object-usage.ts";
import { invalid } from "../core/problem.ts";
import { parseBookmark } from "../db/bookmark.ts";
import {
  COMPANIES_DATABASE,
  type CompanyDb,
  companyDb,
  type DbUsage,
  type DirectoryDb,
  directoryDb,
  newDbUsage,
  type SessionStart,
} from "../db/client.ts";
import { outside } from "./admission.ts";
import { originOf } from "./client-address.ts";
import type { ActorEnv, GatewayEnv, HonoEnv, UserEnv } from "./env.ts";

/** The request's session of the companies' database, opened on first use at the bookmark that a signed-in caller sent (400 if malformed). */
export function db<E extends HonoEnv>(c: Context<E>): CompanyDb {
  const context = c as unknown as Context<HonoEnv>;
  const open = context.get("db");
  if (open) return open;
  const opened = companyDb(context.env, startOf(context), usageOf(context));
  context.set("db", opened);
  return opened;
}

/** The request's session of the directory, opened on first use. */
function directory<E extends HonoEnv>(c: Context<E>): DirectoryDb {
  const context = c as unknown as Context<HonoEnv>;
  const open = context.get("directory");
  if (open) return open;
  // A bookmark is that of the companies' database, but a malformed one is refused by every operation.
  startOf(context);
  const opened = directoryDb(context.env, usageOf(context));
  context.set("directory", opened);
  return opened;
}

/** The cost of the request's queries so far. */
function usageOf(c: Context<HonoEnv>): DbUsage {
  const usage = c.get("dbUsage") ?? newDbUsage();
  c.set("dbUsage", usage);
  return usage;
}

/** True if a request only reads: as its operation declares, otherwise by its method. */
export function isReading(c: Context<HonoEnv>): boolean {
  return c.get("isRead") ?? /^(GET|HEAD)$/.test(c.req.method);
}

/** Writes are decided by the primary, not by a replica that may lag. */
function startOf(c: Context<HonoEnv>): SessionStart {
  // Reading at a bookmark may have to wait for a replica, which only signed-in callers may cause.
  const sent = c.get("isTokenGenuine") ? c.req.header("x-d1-bookmark") : undefined;
  const named = sent === undefined ? undefined : parseBookmark(sent);
  // A bookmark of another database, such as from before its company was moved, says nothing about this one.
  if (named?.database === COMPANIES_DATABASE) return { bookmark: named.bookmark };
  if (named !== null) return isReading(c) ? "first-unconstrained" : "first-primary";
  throw invalid([
    { pointer: "/header/x-d1-bookmark", code: "invalid_format", message: "must be the x-d1-bookmark of an earlier answer" },
  ]);
}

/** Continues at a later bookmark, so that what a machine's object wrote for the request is read, and the answer's bookmark includes it. */
function continueAt<E extends HonoEnv>(c: Context<E>, bookmark: string): void {
  const context = c as unknown as Context<HonoEnv>;
  context.set("db", companyDb(context.env, { bookmark }, usageOf(context)));
}

/** Continues at the primary, so later reads see the current state. */
function continueAtPrimary<E extends HonoEnv>(c: Context<E>): void {
  const context = c as unknown as Context<HonoEnv>;
  context.set("db", companyDb(context.env, "first-primary", usageOf(context)));
}

/** The cost of the request's calls to machine objects so far. */
function objectUsage<E extends HonoEnv>(c: Context<E>): ObjectUsage {
  const context = c as unknown as Context<HonoEnv>;
  const usage = context.get("objectUsage") ?? newObjectUsage();
  context.set("objectUsage", usage);
  return usage;
}

/** The part of a request that domains receive. */
export function callerOf(c: Context<UserEnv>): Caller {
  return {
    env: c.env,
    get db() {
      return db(c);
    },
    get directory() {
      return directory(c);
    },
    actor: c.var.actor,
    requestId: c.var.requestId,
    request: c.var.idempotentRequest ?? null,
    objects: objectUsage(c),
    get origin() {
      return originOf(c);
    },
    continueAt: (bookmark) => continueAt(c, bookmark),
    continueAtPrimary: () => continueAtPrimary(c),
    outside: (call) => outside(c, call),
    afterwards: (work) => c.executionCtx.waitUntil(work),
  };
}

/** The part that domains receive of a request that needs no token. */
export function visitorOf<E extends HonoEnv>(c: Context<E>): Visitor {
  return {
    env: c.env as Env,
    get db() {
      return db(c);
    },
    get directory() {
      return directory(c);
    },
    requestId: c.var.requestId,
  };
}

/** The part that domains receive of a request that sends events. */
export function senderOf(c: Context<ActorEnv>): Sender {
  return {
    env: c.env,
    get db() {
      return db(c);
    },
    actor: c.var.actor,
    requestId: c.var.requestId,
    objects: objectUsage(c),
    hasBookmark: c.req.header("x-d1-bookmark") !== undefined,
    continueAtPrimary: () => continueAtPrimary(c),
    afterwards: (work) => c.executionCtx.waitUntil(work),
  };
}

/** The part that domains receive of a request of a gateway about itself. */
export function ownGatewayOf(c: Context<GatewayEnv>): OwnGateway {
  return {
    env: c.env,
    get db() {
      return db(c);
    },
    actor: c.var.actor,
  };
}
