import type { EventCode } from "../core/fault-codes.ts";

// What the company's hub knows of signals that count for no machine.

/** The latest counts of a channel of which the times are known. */
export const RECENT_COUNTS = 30;

/** The channels that a hub hears of in one call. */
export const CHANNELS_PER_CALL = 100;

/** A count that no channel took, as it was sent. Times are epoch ms. */
export interface UnknownCount {
  id: string | null;
  at: number;
  since?: number;
  value?: number;
  reading?: number;
}

/** The counts of a channel that one request brought, and that were refused: the code and the message are those of the last one. */
export interface RefusedChannel {
  nodeId: number;
  channel: number;
  code: EventCode;
  message: string;
  /** The time that the last one says (epoch ms); null: it says none. */
  sentAt: number | null;
  /** How many were refused for good. */
  refused: number;
  /** Those for which there is no channel yet. */
  unknown: UnknownCount[];
}

/** Who sent counts: a gateway's token, or a user. */
export type SignalSource = `gateway:${number}` | `user:${number}`;

/** What a hub keeps of a channel of a sender. Times are epoch ms. */
export interface HeardSignal {
  source: SignalSource;
  nodeId: number;
  channel: number;
  code: EventCode;
  message: string;
  /** When the first and the last of its counts arrived. */
  firstAt: number;
  lastAt: number;
  /** The time that the last one said; null: none. */
  sentAt: number | null;
  /** How many were refused, each as often as it was sent; one that is kept once. */
  refused: number;
  recent: number[];
  /** How many are kept, their pulses, and the time of the earliest; null: none are. */
  kept: { events: number; pulses: number; from: number } | null;
}
