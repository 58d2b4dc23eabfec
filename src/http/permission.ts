import type { Context, MiddlewareHandler } from "hono";
import type { Role } from "../db/schema.ts";
import { type Actor, authenticate } from "./actor.ts";
import { limitBody } from "./body-limit.ts";
import type { ActorEnv, HonoEnv, UserEnv } from "./env.ts";
import { forbidden } from "./problem.ts";

// Each of these is spread into createRoute. The guard is the first thing that runs: nobody learns what an operation
// thinks of a body before saying who is asking.

interface Limits {
  /** Of the request's body; 1 MiB when left out. */
  maxBodyBytes?: number;
}

/** Users of these roles. 401 without a good token, 403 for other roles and for gateways. */
export function allow(...roles: Role[]) {
  return allowRoles(roles);
}

/** As `allow`, with limits of the operation's own. */
export function allowRoles(roles: readonly Role[], limits: Limits = {}) {
  const admits = (actor: Actor) => actor.kind === "user" && roles.includes(actor.role);
  return { security: [{ bearer: [] }], middleware: guard<UserEnv>(admits, limits), "x-roles": [...roles] };
}

/** Gateways, and the users that may stand in for one. */
export function allowGateway() {
  const roles: readonly Role[] = ["superuser", "superadmin", "admin"];
  const admits = (actor: Actor) => actor.kind === "gateway" || roles.includes(actor.role);
  return { security: [{ bearer: [] }], middleware: guard<ActorEnv>(admits, {}), "x-roles": ["gateway", ...roles] };
}

/** Anyone, without a token. */
export function open(limits: Limits = {}) {
  const middleware: MiddlewareHandler<HonoEnv> = limitBody(limits.maxBodyBytes);
  return { security: [], middleware };
}

function guard<E extends ActorEnv>(admits: (actor: Actor) => boolean, limits: Limits): MiddlewareHandler<E> {
  const limit = limitBody(limits.maxBodyBytes);
  return async (c, next) => {
    const context = c as unknown as Context<HonoEnv>;
    const actor = await authenticate(context);
    context.set("actor", actor);
    if (!admits(actor)) throw forbidden(`A ${actor.kind === "user" ? actor.role : "gateway"} may not do this.`);
    return limit(c, next);
  };
}
