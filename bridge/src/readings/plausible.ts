/** What is known of the speed of a signal: plain data, which is stored with its state. */
export interface Pace {
  /** How many more pulses are plausible before time passes. */
  spare: number;
  /** The most that `spare` grows to while readings follow each other within a second. */
  reach: number;
}

export const noPace: Pace = { spare: 0, reach: 0 };

/** Readings that follow sooner are one burst: what a broker kept meanwhile comes at once, and was made in the time before. */
const BURST_MS = 1000;
/** Polls are not exactly in time: so much time more may have been between two of them. */
const JITTER_MS = 10_000;

/** Whether so many pulses are plausible after a time, and the pace after them. However short the time is, one pulse may have ended in it. */
export function take(pace: Pace, pulses: number, elapsedMs: number, perMinute: number): { isPlausible: boolean; pace: Pace } {
  const made = (perMinute * elapsedMs) / 60_000;
  const isBurst = elapsedMs < BURST_MS;
  const reach = isBurst ? pace.reach : made;
  const most = Math.max(reach, (perMinute * JITTER_MS) / 60_000);
  const allowed = Math.max(1, isBurst ? Math.min(pace.spare + made, most) : made + 1);
  const isPlausible = pulses <= allowed;
  return { isPlausible, pace: { spare: isPlausible ? allowed - pulses : 0, reach } };
}
