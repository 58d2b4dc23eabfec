import type { SignalConfig } from "../config/signal.ts";
import type { EventDraft } from "../readings/read-signal.ts";
import type { Loss, SourceState } from "../sources/source.ts";
import type { SourceConfig } from "../sources/types.ts";

/** A value that was read, and what became of it. */
export interface ReadValue {
  at: number;
  raw: string;
  made: string;
}

/** What the page, the preview and Andon are shown of a source. */
export interface SourceView {
  config: SourceConfig;
  state: SourceState;
  /** When it was heard last, by the bridge's clock; null: never. */
  lastAt: number | null;
  /** How many readings it has given since the bridge started. */
  readings: number;
  losses: Loss[];
  signals: { config: SignalConfig; recent: ReadValue[] }[];
}

/** How a source is: one that is connected may be silent for longer than it should. */
export function shownState({ state, lastAt, config }: SourceView, now: number): "ok" | "waiting" | "silent" | "failed" {
  if (state.state === "starting") return "waiting";
  if (state.state !== "ok") return state.state;
  if (lastAt === null) return "waiting";
  return now - lastAt > config.silence ? "silent" : "ok";
}

/** What an event says, for people. */
export function draftText(draft: EventDraft): string {
  if (draft.kind === "heartbeat") return "heartbeat";
  if (draft.kind === "state") return `state ${draft.state}`;
  if (draft.kind === "sku") return `SKU ${draft.skuId}${draft.workOrderId === null ? "" : `, order ${draft.workOrderId}`}`;
  const since = draft.since === null ? "" : ` since ${new Date(draft.since).toISOString()}`;
  return `${draft.kind} +${draft.value}${since}`;
}
