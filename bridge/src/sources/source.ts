import type { SignalConfig } from "../config/signal.ts";

/** A value that a source read, before it is made into events. */
export interface Reading {
  /** The place of its signal in the source's `signals`. */
  signal: number;
  value: number | bigint | boolean | string;
  /** When the value was so by the source's own clock, epoch ms; null: now, by the bridge's clock. */
  at: number | null;
  /**
   * The value was so before, and is not news: MQTT's retained messages, the first answer of a subscription. A cumulative counter and a state use it,
   * a pulse is not counted.
   */
  isRepeated?: boolean;
}

/** What a source knows to be missing: it was there, and the bridge never got it. */
export interface Loss {
  /** The place of the signal; null: unknown, or all of them. */
  signal: number | null;
  /** How many messages or values; null: unknown. */
  events: number | null;
  /** Between which instants, epoch ms. */
  from: number;
  to: number;
  reason: string;
}

/** How a source is, as the status page and Andon show it. */
export interface SourceState {
  state: "starting" | "ok" | "silent" | "failed";
  /** What failed, for people: which step, and what the other side said. Null unless it failed. */
  error: string | null;
}

/** What the bridge offers a source while it runs. */
export interface SourceContext {
  /** The signals of the configuration, which readings name by their place. */
  signals: readonly SignalConfig[];
  /** Where the source went on reading when the bridge stopped: what it gave to `store` last. Null: never. */
  cursor: unknown;
  /** Ends the source: it closes what it opened, and `run` returns. */
  abort: AbortSignal;
  /** Epoch ms by the bridge's clock, which never goes back. */
  now(): number;
  /**
   * Takes readings in their order, and returns when their events and the cursor are on the disk, in one transaction: only then may the source
   * acknowledge them. Several calls may wait at once; they are stored in the order of the calls.
   * @throws StorageError if they could not be stored: the source keeps them, or does not acknowledge them, and tries again
   */
  store(readings: readonly Reading[], cursor?: unknown): Promise<void>;
  /** The source was heard, though it has no new value: its machines have data. */
  heard(): void;
  /** The source gave a value for a signal that says it has none: MTConnect's UNAVAILABLE, a death certificate. */
  unavailable(signal: number, at: number | null): Promise<void>;
  report(state: SourceState): void;
  lost(loss: Loss): void;
  log(message: string): void;
}

/** One step of `andon-bridge check`, in the order in which a connection is made. */
export interface CheckStep {
  /** "name", "port", "TLS", "login", "unit id", "topic", "first value", ... */
  step: string;
  ok: boolean;
  /** What was found, or what failed and what to do. */
  detail: string;
}

/** Something that `andon-bridge discover` found: an address for the configuration, and a value as an example. */
export interface Discovered {
  address: string;
  example: string;
}

/** A type of source, made from its part of the configuration. */
export interface Source {
  /** Reads until `abort`, connects again by itself, and never throws for what the other side does. */
  run(context: SourceContext): Promise<void>;
  /** Connects step by step, and stops at the first step that fails. */
  check(abort: AbortSignal): AsyncIterable<CheckStep>;
  /** What the other side offers, heard or browsed for `forMs`. */
  discover?(abort: AbortSignal, forMs: number): AsyncIterable<Discovered>;
}
