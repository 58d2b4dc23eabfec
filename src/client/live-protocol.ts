import type { components } from "./api.d.ts";

// The messages of GET /v1/live, for both their sender and their readers. docs/live.md describes them in full.

/** A machine's present state: the item of `GET /v1/state`. */
export type Row = components["schemas"]["MachineOverview"];

interface Numbered {
  /** Identifies a sequence of numbers. Numbers of different epochs cannot be compared. */
  epoch: string;
  /** The number of the last change in this message. */
  seq: number;
  /** When it was sent, ISO 8601, by the service's clock. */
  at: string;
  /** Whole rows: each replaces the machine's earlier row. */
  rows: Row[];
}

/** All requested machines. Machines that are not in it do not exist. */
interface Snapshot extends Numbered {
  type: "snapshot";
}

/** The changes since the message before, or since the number with which the client reconnected. */
interface Changes extends Numbered {
  type: "changes";
  /** Ids of machines that were deleted, or that no longer belong to the requested ones. */
  removed: number[];
}

export type LiveMessage = Snapshot | Changes;

/** The subprotocol of the WebSocket. The token is a second one: `bearer.` followed by the token. */
export const SUBPROTOCOL = "andon.v1";
export const BEARER = "bearer.";

/** The only message that a client sends, and the reply. Send it every 25 s: a connection without one for 90 s counts as gone. */
export const PING = "ping";
export const PONG = "pong";
export const PING_EVERY_MS = 25_000;
export const GONE_AFTER_MS = 90_000;

/** The codes with which the service closes a WebSocket. After any other code: reconnect, with `epoch` and `since`. */
export const closeCodes = {
  /** Something other than `ping` was sent, or the parameters are wrong. */
  badMessage: 4400,
  /** The token is not valid, or no longer valid: sign in again. */
  badToken: 4401,
  /** The caller has no such machine, line or company or no permission, or the page is of a foreign origin. */
  forbidden: 4403,
  /** The machines to watch have become too many: more than 1,000. */
  tooMany: 4413,
} as const;
