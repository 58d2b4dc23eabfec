import type { SignalConfig } from "../config/signal.ts";
import type { EventDraft, Refused, SignalState } from "../readings/read-signal.ts";
import type { Reading, SourceContext } from "../sources/source.ts";
import type { SourceView } from "./views.ts";

export interface SignalInWork {
  config: SignalConfig;
  /** What its state is stored under. */
  key: string;
  state: SignalState;
  /** Whether it was read since the bridge started. */
  isRead: boolean;
  isUnavailable: boolean;
}

export interface SourceInWork {
  view: SourceView;
  signals: SignalInWork[];
  /** What the source is given to run; null until it is made. */
  context: SourceContext | null;
}

/** What one transaction stores, and what is known after it. Until it is on the disk, nothing else has changed. */
export interface Plan {
  events: { source: string; machine: string; draft: EventDraft; byBridge: boolean }[];
  refused: { source: string; machine: string; kind: EventDraft["kind"]; refused: Refused & { at: number; byBridge: boolean } }[];
  cursors: Map<string, unknown>;
  signals: Map<SignalInWork, SignalState>;
  /** The newest sample of each machine. */
  samples: Map<string, number>;
  /** Whether anything but the times of the newest readings has changed. */
  hasNews: boolean;
  shown: { source: SourceInWork; reading: Reading; at: number; made: string }[];
}

export function emptyPlan(): Plan {
  return {
    events: [],
    refused: [],
    cursors: new Map(),
    signals: new Map(),
    samples: new Map(),
    hasNews: false,
    shown: [],
  };
}
