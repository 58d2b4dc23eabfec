import type { Context, MiddlewareHandler, Next } from "hono";
import type { ActingToken, Actor } from "../core/actor.ts";
import { isGranted } from "../core/permissions.ts";
import { forbidden, Problem } from "../core/problem.ts";
import type { Permission, Role } from "../db/schema.ts";
import { type CostlyWork, checkAdmission, withSlot } from "./admission.ts";
import type { Counts } from "./ask-machines.ts";
import { authenticate } from "./authenticate.ts";
import type { MachineBinding } from "./bound-machines.ts";
import type { ActorEnv, GatewayEnv, HonoEnv, UserEnv } from "./env.ts";
import { recognizeRepeated } from "./idempotency.ts";
import { awaitsBody } from "./local-pacing.ts";
import { limitAddress, limitRate } from "./rate-limit.ts";
import { type BodyRules, readBody } from "./read-body.ts";
import { isReading, visitorOf } from "./session.ts";

// Each of these is spread into createRoute. The guard runs first: an operation reads a body only after the caller is known.

interface Options {
  /** The maximum size of the body; 1 MiB by default. */
  maxBodyBytes?: number;
  /** The kind of expensive work that the operation does, if any. */
  costly?: CostlyWork;
  /** True if the operation reads its body itself, as a stream (receive-file.ts): it is longer than the memory. */
  isStreamed?: boolean;
  /** True if the operation honours an Idempotency-Key: its work is then done by `write` or `once`. */
  isIdempotent?: boolean;
  /** Overrides the method: true if the operation only reads, so that it can use any replica. */
  isRead?: boolean;
  /** True if it concerns the caller as a person, or access to the service: API tokens may not call it, regardless of role. */
  isForPeople?: boolean;
  /** The machines whose running shifts and orders it reads, if any. They are queried first, see ask-machines.ts. */
  counts?: Counts;
  /** Which machine it is about, for tokens that are bound to machines, such as those of terminals. Without it, they get 403. */
  machines?: MachineBinding | undefined;
}

/** The part of a route that `allow...` provides. */
interface Access<E extends ActorEnv> {
  security: Record<string, string[]>[];
  middleware: MiddlewareHandler<E>;
  "x-roles": string[];
  "x-idempotent": boolean;
  "x-for-people": boolean;
  "x-counts": Counts | undefined;
  "x-machines": MachineBinding | undefined;
}

const defaultBodyBytes = 1024 * 1024;
/** How long a body may take to arrive without a token, and with one. Uploads may take longer at the rate below. */
const OPEN_BODY_MS = 2000;
const BODY_MS = 5000;
const UPLOAD_BYTES_PER_SECOND = 256 * 1024;

const guards = new WeakSet<object>();

/** Users of these roles. 401 without a good token, 403 for other roles and for gateways. */
export function allow(...roles: Role[]) {
  return allowRoles(roles);
}

/** Like `allow`, with options. */
export function allowRoles(roles: readonly Role[], options: Options = {}): Access<UserEnv> {
  const admits = (actor: Actor) => actor.kind === "user" && roles.includes(actor.role);
  return { ...accessOf(roles, options), middleware: guard<UserEnv>(admits, options, anyOf(roles)) };
}

/** Whether an actor is a user whose role has a permission. */
export async function may(c: Context<HonoEnv>, actor: Actor | undefined, permission: Permission): Promise<boolean> {
  return actor?.kind === "user" && (await isGranted(visitorOf(c), actor.role, permission));
}

/** Users whose role has a permission (a change takes effect within 30 s), and superusers in any case. */
export function allowPermission(permission: Permission, options: Options = {}): Access<UserEnv> & { "x-permission": Permission } {
  const admits = (actor: Actor, c: Context<HonoEnv>) => may(c, actor, permission);
  const middleware = guard<UserEnv>(admits, options, `the permission ${permission}`);
  return { ...accessOf([], options), middleware, "x-permission": permission };
}

/** Gateways, and users who may send events for them. */
export function allowGateway() {
  const roles: readonly Role[] = ["superuser", "superadmin", "admin"];
  const admits = (actor: Actor) => actor.kind === "gateway" || roles.includes(actor.role);
  return { ...accessOf(["gateway", ...roles], {}), middleware: guard<ActorEnv>(admits, {}, anyOf(roles)) };
}

/** Gateways alone: it is about the gateway that asks. */
export function allowOwnGateway(options: Pick<Options, "maxBodyBytes"> = {}): Access<GatewayEnv> {
  const admits = (actor: Actor) => actor.kind === "gateway";
  return { ...accessOf(["gateway"], options), middleware: guard<GatewayEnv>(admits, options, "the token of a gateway") };
}

/** Anyone, without a token. */
export function open({ maxBodyBytes = defaultBodyBytes }: Pick<Options, "maxBodyBytes"> = {}) {
  const body = { maxBytes: maxBodyBytes, deadlineMs: OPEN_BODY_MS };
  const middleware: MiddlewareHandler<HonoEnv> = async (c, next) => {
    await checkAdmission(c, () => limitAddress(c, "open"));
    await carryOut(c, body, undefined, next);
  };
  guards.add(middleware);
  return { security: [], middleware };
}

/** True if a handler was made by one of these functions. */
export function isGuard(handler: object): boolean {
  return guards.has(handler);
}

/** The description of an access in the OpenAPI document. */
function accessOf(roles: readonly string[], { isIdempotent = false, isForPeople = false, counts, machines }: Options) {
  return {
    security: [{ bearer: [] }],
    "x-roles": [...roles],
    "x-idempotent": isIdempotent,
    "x-for-people": isForPeople,
    "x-counts": counts,
    "x-machines": machines,
  };
}

type Admits = (actor: Actor, c: Context<HonoEnv>) => boolean | Promise<boolean>;

function anyOf(roles: readonly Role[]): string {
  return roles.length === 1 ? `the role ${roles[0]}` : `one of the roles ${roles.join(", ")}`;
}

/** @param needed what a caller must have, for the message to callers who lack it */
function guard<E extends ActorEnv>(admits: Admits, options: Options, needed: string): MiddlewareHandler<E> {
  const { maxBodyBytes = defaultBodyBytes, costly, isStreamed, isIdempotent, isRead } = options;
  const body = {
    maxBytes: maxBodyBytes,
    deadlineMs: BODY_MS,
    ...(costly === "upload" && { bytesPerSecond: UPLOAD_BYTES_PER_SECOND }),
  };
  const middleware: MiddlewareHandler<E> = async (c, next) => {
    const context = c as unknown as Context<HonoEnv>;
    if (isRead !== undefined) context.set("isRead", isRead);
    const actor = await signIn(context);
    context.set("actor", actor);
    await checkAdmission(context, async () => {
      await limitCaller(context, actor);
      if (!(await admits(actor, context))) {
        if (actor.kind === "gateway")
          throw forbidden("A gateway token may not do this: it is for POST /v1/ingest and /v1/gateways/self only.");
        throw forbidden(`The role ${actor.role} may not do this: it takes ${needed}.`);
      }
      if (actor.kind === "user" && actor.apiToken) refuseProgram(context, actor.apiToken, options);
    });
    await carryOut(context, isStreamed ? null : body, costly, () => (isIdempotent ? recognizeRepeated(context, next) : next()));
  };
  guards.add(middleware);
  return middleware;
}

function limitCaller(c: Context<HonoEnv>, actor: Actor): Promise<void> {
  if (actor.kind === "gateway") return limitRate(c, "gateway", actor.gatewayTokenId);
  return actor.apiToken ? limitRate(c, "token", actor.apiToken.id) : limitRate(c, "user", actor.userId);
}

/** Throws 403 for operations that an API token may not call even though its role may. */
function refuseProgram(c: Context<HonoEnv>, { isReadOnly, machineIds }: ActingToken, { isForPeople, machines }: Options): void {
  if (isForPeople) throw forbidden("An API token may not do this: it takes the token of a user who has logged in.");
  if (machineIds && !machines) throw forbidden("The token of a terminal may not do this: it is for its machines alone.");
  if (isReadOnly && !isReading(c)) throw forbidden("A read-only API token may not do this: it writes.");
}

/** Reads the body, unless the operation does that, then does the work in a slot of its own. */
async function carryOut(c: Context<HonoEnv>, rules: BodyRules | null, costly: CostlyWork | undefined, work: Next): Promise<void> {
  const done = (async () => {
    awaitsBody(c);
    const release = rules ? await readBody(c, rules) : () => {};
    try {
      await withSlot(c, costly, work);
    } finally {
      release();
    }
  })();
  // Keeps running when the caller disconnects, because slots would otherwise not be released.
  c.executionCtx.waitUntil(done.catch(() => {}));
  await done;
}

/** The caller. An address with too many failed attempts gets 429. */
async function signIn(c: Context<HonoEnv>): Promise<Actor> {
  try {
    return await authenticate(c);
  } catch (error) {
    if (error instanceof Problem && error.status === 401) await limitAddress(c, "refused");
    throw error;
  }
}
