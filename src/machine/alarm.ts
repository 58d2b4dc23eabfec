/** Pause between two flushes of a machine. */
export const FLUSH_EVERY_MS = 10_000;

export interface AlarmInputs {
  now: number;
  /** The rows are right as of this instant, which may lie back: what passed since then is due at once. */
  since: number;
  /** Whether rows wait to be made or sent. */
  isBehind: boolean;
  /** The earliest time of the next flush. */
  nextFlushAt: number;
  /** When silence alone changes what goes on; null: never. */
  thresholdAt: number | null;
  /** The next start or end of a shift or break; null: none is known. */
  edgeAt: number | null;
  /** When the machine's ledger ends; null: it is in service. */
  endAt: number | null;
  /** The next stored event that is still in the future; null: none. */
  eventAt: number | null;
}

/** When the object is to wake next (epoch ms); null: only when called. */
export function nextAlarmAt(inputs: AlarmInputs): number | null {
  const { now, since, isBehind, nextFlushAt, thresholdAt, edgeAt, endAt, eventAt } = inputs;
  // The end itself is the last that happens by itself.
  const changes = [thresholdAt, edgeAt, endAt].filter((at) => at !== null && since < at && at <= (endAt ?? at));
  const due = [isBehind ? Math.max(now, nextFlushAt) : null, ...changes, eventAt].filter((at) => at !== null);
  return due.length > 0 ? Math.min(...due) : null;
}
