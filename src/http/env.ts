import type { RequestIdVariables } from "hono/request-id";
import type { Actor, UserActor } from "../core/actor.ts";
import type { IdempotentRequest } from "../core/idempotency.ts";
import type { Db } from "../db/client.ts";
import type { ObjectUsage } from "../machine/stub.ts";
import type { RateLimitState } from "./rate-limit.ts";

/** What every operation finds in its context. Use `db(c)` rather than `c.var.db`: it opens the session when first asked. */
export interface HonoEnv {
  Bindings: Env;
  Variables: RequestIdVariables & {
    db?: Db;
    objectUsage?: ObjectUsage;
    actor?: Actor;
    /** Whether the caller's token is genuine: nobody else's bookmark is used. */
    isTokenGenuine?: boolean;
    idempotentRequest?: IdempotentRequest;
    /** Whether the operation only reads, whatever its method; unset: as its method says. */
    isRead?: boolean;
    rateLimit?: RateLimitState;
    /** Ends the request's part in a rush: see pace.ts. */
    leavePace?: (() => void) | undefined;
    /** JSON pointers of what was sent and ignored. */
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
