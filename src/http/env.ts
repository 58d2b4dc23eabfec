import type { RequestIdVariables } from "hono/request-id";
import type { Actor, GatewayActor, UserActor } from "../core/actor.ts";
import type { IdempotentRequest } from "../core/caller.ts";
import type { ObjectUsage } from "../core/object-usage.ts";
import type { CompanyDb, DbUsage, DirectoryDb } from "../db/client.ts";

/** The values of RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-11). */
interface RateLimitState {
  policy: string;
  limit: string;
}

/** The context of every operation. Use `db(c)` rather than `c.var.db`: it opens the session on first use. */
export interface HonoEnv {
  Bindings: Env;
  Variables: RequestIdVariables & {
    db?: CompanyDb;
    directory?: DirectoryDb;
    /** The cost of the queries of all sessions of the request. */
    dbUsage?: DbUsage;
    objectUsage?: ObjectUsage;
    actor?: Actor;
    /** Whether the caller's token is genuine. A bookmark is only used if it is. */
    isTokenGenuine?: boolean;
    /** Of a user or program: the version of a user's tokens (null: an API token), and the end of this one, epoch ms (null: none). */
    token?: { version: number | null; endsAt: number | null };
    idempotentRequest?: IdempotentRequest;
    /** Whether the operation only reads; unset: its method decides. */
    isRead?: boolean;
    rateLimit?: RateLimitState;
    /** Stops counting the request towards a rush: see local-pacing.ts. */
    leavePace?: (() => void) | undefined;
    /** Gives the request's slot back before its end: see `outside` in admission.ts. */
    leaveSlot?: () => void;
    /** The path below which the operation creates objects; unset if it creates none. */
    createsIn?: string;
    /** Whether answers have the ETag of the item in them. */
    tagsItem?: boolean;
    /** JSON pointers of ignored members. */
    ignoredMembers?: readonly string[];
  };
}

/** The context behind `allow(...)`: a signed-in user. */
export interface UserEnv {
  Bindings: Env;
  Variables: HonoEnv["Variables"] & { actor: UserActor };
}

/** The context behind `allowGateway()`: a signed-in user or a gateway. */
export interface ActorEnv {
  Bindings: Env;
  Variables: HonoEnv["Variables"] & { actor: Actor };
}

/** The context behind `allowOwnGateway()`: a gateway. */
export interface GatewayEnv {
  Bindings: Env;
  Variables: HonoEnv["Variables"] & { actor: GatewayActor };
}
