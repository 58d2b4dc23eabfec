/** The running total of a counter at an instant. */
export interface Reading {
  /** Epoch ms. */
  at: number;
  /** Pulses since the counter was last reset or rolled over. */
  value: number;
}

/** What is known of a counter. */
export interface Counter {
  /** How many values it has: after `wrapsAt - 1` comes 0. Null: it does not wrap. */
  wrapsAt: number | null;
  /** The most pulses per ms that are plausible; null: unknown. */
  maxPerMs: number | null;
}

/**
 * The pulses between two readings of a counter, `before` being the earlier one. If the total went down, the counter was reset, and the new
 * total was made since; or it rolled over, if it wraps and the pulses of a roll-over are plausible in that time (without a known rate: at most
 * half of the counter's range). Of two readings of the same instant the order is unknown, so a smaller one adds nothing.
 */
export function pulsesBetween(before: Reading, after: Reading, { wrapsAt, maxPerMs }: Counter): number {
  const made = after.value - before.value;
  if (made >= 0) return made;
  const elapsedMs = after.at - before.at;
  if (elapsedMs === 0) return 0;
  if (wrapsAt === null || before.value >= wrapsAt) return after.value;
  const rolledOver = made + wrapsAt;
  const plausible = maxPerMs === null ? wrapsAt / 2 : maxPerMs * elapsedMs;
  return rolledOver <= plausible ? rolledOver : after.value;
}
