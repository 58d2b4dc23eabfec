/** Pause between two flushes of a machine. */
export const FLUSH_EVERY_MS = 10_000;

export interface AlarmInputs {
  now: number;
  /** Whether rows wait to be made or sent. */
  isBehind: boolean;
  flushedAt: number;
  /** When silence alone changes what goes on; null: never. */
  thresholdAt: number | null;
  /** The next start or end of a shift or break; null: none is known. */
  edgeAt: number | null;
  /** The next stored event that is still in the future; null: none. */
  eventAt: number | null;
}

/** When the object is to wake next (epoch ms); null: only when called. */
export function nextAlarmAt({ now, isBehind, flushedAt, thresholdAt, edgeAt, eventAt }: AlarmInputs): number | null {
  const times = [isBehind ? Math.max(now, flushedAt + FLUSH_EVERY_MS) : null, thresholdAt, edgeAt, eventAt];
  const due = times.filter((at) => at !== null);
  return due.length > 0 ? Math.min(...due) : null;
}
