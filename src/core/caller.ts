import type { CompanyDb, DirectoryDb } from "../db/client.ts";
import type { Actor, GatewayActor, UserActor } from "./actor.ts";
import type { ObjectUsage } from "./object-usage.ts";

/** A request with an Idempotency-Key. */
export interface IdempotentRequest {
  userId: number;
  /** Method and path. */
  operation: string;
  key: string;
  /** HMAC-SHA-256 of query and body, hex. A plain hash of a body with a password would allow guessing the password. */
  requestHash: string;
  /** The same with other keys: what was kept before the encryption key was replaced is recognized. */
  earlierHashes?: readonly string[];
}

/** The caller of an area, and what the area may use to serve it. Rules take this instead of an HTTP request. */
export interface Caller {
  readonly env: Env;
  /** One session of the companies' database, which never reads an older state than it has read before. */
  readonly db: CompanyDb;
  /** One session of the directory. */
  readonly directory: DirectoryDb;
  readonly actor: UserActor;
  readonly requestId: string;
  /** Set when the request has an Idempotency-Key. */
  readonly request: IdempotentRequest | null;
  /** The cost of the calls to machine objects so far. */
  readonly objects: ObjectUsage;
  /** The service's own address, as `https://host`. */
  readonly origin: string;
  /** Makes `db` read no state older than this bookmark from now on. */
  continueAt(bookmark: string): void;
  /** Makes `db` read only data that is up to date from now on. */
  continueAtPrimary(): void;
  /**
   * Makes a call to a receiver outside the service. The request gives its slot back first, because a receiver may take ten seconds and other
   * requests need the slot: such calls have slots of their own. Finish all work on storage before.
   * @throws Problem 503 if too many wait for receivers already
   */
  outside<T>(call: () => Promise<T>): Promise<T>;
  /** Lets work continue after the answer. */
  afterwards(work: Promise<unknown>): void;
}

/** Somebody without a token: what an operation has that is open to everybody. */
export type Visitor = Pick<Caller, "env" | "db" | "directory" | "requestId">;

/** Whoever sends events of machines: a gateway, or a user. */
export interface Sender extends Pick<Caller, "env" | "db" | "objects" | "requestId" | "afterwards"> {
  readonly actor: Actor;
  /** Whether the request came with a bookmark, and therefore requires data that is up to date. */
  readonly hasBookmark: boolean;
  /** Makes `db` read only data that is up to date from now on. */
  continueAtPrimary(): void;
}

/** A gateway that asks about itself, or reports. */
export interface OwnGateway extends Pick<Caller, "env" | "db"> {
  readonly actor: GatewayActor;
}

/** The part of a caller that reads need. */
export type Reader = Pick<Caller, "db" | "actor">;
