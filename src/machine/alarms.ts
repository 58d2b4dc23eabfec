import { minOf } from "../oee/extremes.ts";

/** The pause between two flushes of a machine. */
export const FLUSH_EVERY_MS = 10_000;
/** The pause while only counts came that change nothing but numbers: readers of those query the machine first. */
export const COUNTS_EVERY_MS = 5 * 60_000;

export interface AlarmInputs {
  now: number;
  /** The rows are correct as of this instant, possibly in the past: everything due since then is due now. */
  since: number;
  /** Whether rows have to be computed or sent. */
  isBehind: boolean;
  /** The earliest time of the next flush. */
  nextFlushAt: number;
  /** When silence alone turns into a stop or no data; null: never. */
  thresholdAt: number | null;
  /** The next start or end of a shift or break; null: none is known. */
  edgeAt: number | null;
  /** Time of the decommissioning; null: none is set. */
  endAt: number | null;
  /** Time of the first event that is not in the ledger yet because it is ahead of its time; null: none. */
  eventAt: number | null;
  /** When an alert may begin or end by time alone; null: never. */
  alertAt: number | null;
}

/** Returns when the object has to wake next (epoch ms); null: only when it is called. */
export function nextAlarmAt(inputs: AlarmInputs): number | null {
  const { now, since, isBehind, nextFlushAt, thresholdAt, edgeAt, endAt, eventAt, alertAt } = inputs;
  // Nothing happens by itself after the end.
  const changes = [thresholdAt, edgeAt, endAt].filter((at) => at !== null && since < at && at <= (endAt ?? at));
  const due = [isBehind ? Math.max(now, nextFlushAt) : null, ...changes, eventAt, alertAt].filter((at) => at !== null);
  return due.length > 0 ? minOf(due) : null;
}
