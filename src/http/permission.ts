import type { Context, MiddlewareHandler } from "hono";
import type { Permission, Role } from "../db/schema.ts";
import { type Actor, authenticate } from "./actor.ts";
import { limitBody } from "./body-limit.ts";
import type { ActorEnv, HonoEnv, UserEnv } from "./env.ts";
import { replayFirstAnswer } from "./idempotency.ts";
import { forbidden, Problem } from "./problem.ts";
import { listGrants } from "./queries.ts";
import { limitAddress, limitRate } from "./rate-limit.ts";
import { db } from "./session.ts";
import { ShortCache } from "./short-cache.ts";

// Each of these is spread into createRoute. The guard is the first thing that runs: nobody learns what an operation
// thinks of a body before saying who is asking.

interface Options {
  /** Of the request's body; 1 MiB when left out. */
  maxBodyBytes?: number;
  /** Whether the operation honours an Idempotency-Key: its handler then stores `keepAnswer(...)` with its work. */
  isIdempotent?: boolean;
  /** Whether it changes nothing, though its method is none of reading: any replica will do. */
  isRead?: boolean;
}

/** What `allow...` spreads into createRoute. */
interface Access<E extends ActorEnv> {
  security: Record<string, string[]>[];
  middleware: MiddlewareHandler<E>;
  "x-roles": string[];
  "x-idempotent": boolean;
}

const guards = new WeakSet<object>();

const grantsAreReadEveryMs = 30_000;
const grants = new ShortCache<Set<string>>(grantsAreReadEveryMs, 1);

/** Users of these roles. 401 without a good token, 403 for other roles and for gateways. */
export function allow(...roles: Role[]) {
  return allowRoles(roles);
}

/** As `allow`, with options of the operation's own. */
export function allowRoles(roles: readonly Role[], options: Options = {}): Access<UserEnv> {
  const admits = (actor: Actor) => actor.kind === "user" && roles.includes(actor.role);
  return { ...accessOf(roles, options), middleware: guard<UserEnv>(admits, options) };
}

/** Users whose role is granted a permission at the time (a change is felt within 30 s), and superusers, whatever is granted. */
export function allowPermission(permission: Permission, options: Options = {}): Access<UserEnv> & { "x-permission": Permission } {
  const admits = async (actor: Actor, c: Context<HonoEnv>) =>
    actor.kind === "user" && (await isGranted(c, actor.role, permission));
  const middleware = guard<UserEnv>(admits, options);
  return { ...accessOf([], options), middleware, "x-permission": permission };
}

/** Whether a role may do what a permission names. */
export async function isGranted(c: Context, role: Role, permission: Permission): Promise<boolean> {
  if (role === "superuser") return true;
  const readAt = Date.now();
  let known = grants.get("")?.value;
  if (!known) {
    known = await listGrants(db(c));
    grants.set("", known, readAt);
  }
  return known.has(`${role} ${permission}`);
}

/** Gateways, and the users that may stand in for one. */
export function allowGateway() {
  const roles: readonly Role[] = ["superuser", "superadmin", "admin"];
  const admits = (actor: Actor) => actor.kind === "gateway" || roles.includes(actor.role);
  return { ...accessOf(["gateway", ...roles], {}), middleware: guard<ActorEnv>(admits, {}) };
}

/** Anyone, without a token. */
export function open(options: Pick<Options, "maxBodyBytes"> = {}) {
  const limit = limitBody(options.maxBodyBytes);
  const middleware: MiddlewareHandler<HonoEnv> = async (c, next) => {
    await limitAddress(c, "open");
    return limit(c, next);
  };
  guards.add(middleware);
  return { security: [], middleware };
}

/** Whether a handler is what one of these functions made. */
export function isGuard(handler: object): boolean {
  return guards.has(handler);
}

/** What the OpenAPI document says of an access. */
function accessOf(roles: readonly string[], { isIdempotent = false }: Options) {
  return { security: [{ bearer: [] }], "x-roles": [...roles], "x-idempotent": isIdempotent };
}

type Admits = (actor: Actor, c: Context<HonoEnv>) => boolean | Promise<boolean>;

function guard<E extends ActorEnv>(admits: Admits, options: Options): MiddlewareHandler<E> {
  const { maxBodyBytes, isIdempotent, isRead = false } = options;
  const limit = limitBody(maxBodyBytes);
  const middleware: MiddlewareHandler<E> = async (c, next) => {
    const context = c as unknown as Context<HonoEnv>;
    context.set("isRead", isRead);
    const actor = await signIn(context);
    context.set("actor", actor);
    await limitRate(context, actor.kind, actor.kind === "user" ? actor.userId : actor.gatewayTokenId);
    if (!(await admits(actor, context))) throw forbidden(`A ${actor.kind === "user" ? actor.role : "gateway"} may not do this.`);
    if (!isIdempotent) return limit(c, next);
    let replayed: Response | undefined;
    const refused = await limit(c, async () => {
      replayed = await replayFirstAnswer(context, next);
    });
    return refused ?? replayed;
  };
  guards.add(middleware);
  return middleware;
}

/** Who asks. An address that says so wrongly too often is told to wait. */
async function signIn(c: Context<HonoEnv>): Promise<Actor> {
  try {
    return await authenticate(c);
  } catch (error) {
    if (error instanceof Problem && error.status === 401) await limitAddress(c, "refused");
    throw error;
  }
}
