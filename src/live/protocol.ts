import type { components } from "../client/api.d.ts";

// What GET /v1/live sends, for those who send it and those who read it: docs/live.md tells it in full.

/** What a machine does now: the item of `GET /v1/state`. */
export type Row = components["schemas"]["MachineOverview"];

interface Numbered {
  /** Names a run of numbers. Numbers of different epochs have nothing in common. */
  epoch: string;
  /** The number of the last change in this message. */
  seq: number;
  /** When it was sent, ISO 8601, by the service's clock. */
  at: string;
  /** Whole rows: each replaces what was known of its machine. */
  rows: Row[];
}

/** All machines that were asked for: what is not in it is not there. */
export interface Snapshot extends Numbered {
  type: "snapshot";
}

/** What changed since the message before, or since the number with which the client came back. */
export interface Changes extends Numbered {
  type: "changes";
  /** Ids of machines that are gone, or not among those that were asked for any more. */
  removed: number[];
}

export type LiveMessage = Snapshot | Changes;

/** The subprotocol of the WebSocket. The token comes as a second one: `bearer.` and the token. */
export const SUBPROTOCOL = "andon.v1";
export const BEARER = "bearer.";

/** The only thing that a client sends, and what it gets back. Send it every 25 s: after 90 s without one a connection counts as gone. */
export const PING = "ping";
export const PONG = "pong";
export const PING_EVERY_MS = 25_000;
export const GONE_AFTER_MS = 90_000;

/** Why the service closes a WebSocket. With any other code: connect again, with `epoch` and `since`. */
export const closeCodes = {
  /** Something else than `ping` was sent, or the parameters are wrong. */
  badMessage: 4400,
  /** The token is not valid, or not any more: sign in again. */
  badToken: 4401,
  /** A machine, line or company that the caller has none of, a page of a foreign origin, or no permission. */
  forbidden: 4403,
} as const;
