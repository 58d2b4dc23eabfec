/** The pause between two flushes of a machine. */
export const FLUSH_EVERY_MS = 10_000;
/** The pause while only counts came that change nothing but numbers: readers of those query the machine first. */
export const COUNTS_EVERY_MS = 5 * 60_000;

/**
 * The reasons why a machine's object runs without being called. A Durable Object has one alarm: it is set for the earliest of these, and when it
 * runs, everything that is due is done.
 */
export type AlarmName = "flush" | "silence" | "edge" | "end" | "event" | "alert" | "recalculation";

export interface AlarmInputs {
  now: number;
  /** The rows are correct as of this instant, possibly in the past: everything due since then is due now. */
  since: number;
  /** Whether rows have to be computed or sent. */
  isBehind: boolean;
  /** The earliest time of the next flush. */
  nextFlushAt: number;
  /** When silence alone turns into a stop or no data; null: never. */
  silenceAt: number | null;
  /** The next start or end of a shift or break; null: none is known. */
  edgeAt: number | null;
  /** Time of the decommissioning; null: none is set. */
  endAt: number | null;
  /** Time of the first event that is not in the ledger yet because it is ahead of its time; null: none. */
  eventAt: number | null;
  /** When an alert may begin or end by time alone; null: never. */
  alertAt: number | null;
  /** When the next step of a recalculation is due; null: there is none. */
  recalculationAt: number | null;
}

/** Returns what the object has to do next, and when (epoch ms); null: nothing until it is called. */
export function nextAlarm(inputs: AlarmInputs): { name: AlarmName; at: number } | null {
  const { now, since, isBehind, nextFlushAt, silenceAt, edgeAt, endAt, eventAt, alertAt, recalculationAt } = inputs;
  // Nothing happens by itself after the end.
  const ahead = (at: number | null) => (at !== null && since < at && at <= (endAt ?? at) ? at : null);
  const times: [AlarmName, number | null][] = [
    ["flush", isBehind ? Math.max(now, nextFlushAt) : null],
    ["silence", ahead(silenceAt)],
    ["edge", ahead(edgeAt)],
    ["end", ahead(endAt)],
    ["event", eventAt],
    ["alert", alertAt],
    ["recalculation", recalculationAt],
  ];
  let next: { name: AlarmName; at: number } | null = null;
  for (const [name, at] of times) if (at !== null && (next === null || at < next.at)) next = { name, at };
  return next;
}
