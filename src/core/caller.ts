import type { Db } from "../db/client.ts";
import type { ObjectUsage } from "../machine/stub.ts";
import type { UserActor } from "./actor.ts";

/** A request with an Idempotency-Key. */
export interface IdempotentRequest {
  userId: number;
  /** Method and path. */
  operation: string;
  key: string;
  /** HMAC-SHA-256 of query and body, hex: a plain hash of a body with a password in it would be a hash of the password. */
  requestHash: string;
}

/** Who asks an area for something, and what the area may use for it. Rules take this instead of an HTTP request. */
export interface Caller {
  readonly env: Env;
  /** One session: it never reads anything older than it read before. */
  readonly db: Db;
  readonly actor: UserActor;
  readonly requestId: string;
  /** Set when the request has an Idempotency-Key. */
  readonly request: IdempotentRequest | null;
  /** What calls of machines' objects cost so far. */
  readonly objects: ObjectUsage;
  /** The service's own address, as `https://host`. */
  readonly origin: string;
  /** From now on `db` reads nothing older than this bookmark. */
  continueAt(bookmark: string): void;
  /** Lets work continue after the answer. */
  afterwards(work: Promise<unknown>): void;
}

/** What is enough for reading. */
export type Reader = Pick<Caller, "db" | "actor">;
