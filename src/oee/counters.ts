/** The running total of a counter at an instant. */
export interface Reading {
  /** Epoch ms. */
  at: number;
  /** Pulses since the counter last started at 0. */
  value: number;
}

/** What is known of a counter. */
export interface Counter {
  /** The total at which it starts again at 0: 65536 for a counter of 16 bits. Null: it does not wrap. */
  wrapsAt: number | null;
  /** The highest plausible rate, in pulses per ms; null: unknown. */
  maxPerMs: number | null;
}

/**
 * Returns the pulses between two readings of a counter. If the total went down, the counter either wrapped or was reset.
 *
 * - It wrapped if it can, and the pulses until then are plausible: at most `maxPerMs` times the time between the readings, or half of the
 *   counter's range if the rate is unknown.
 * - Otherwise it was reset, and everything it shows was made since.
 *
 * The order of two readings with the same time is unknown, so a lower one adds nothing.
 * @param before the earlier reading
 */
export function pulsesBetween(before: Reading, after: Reading, { wrapsAt, maxPerMs }: Counter): number {
  const made = after.value - before.value;
  if (made >= 0) return made;
  const elapsedMs = after.at - before.at;
  if (elapsedMs === 0) return 0;
  if (wrapsAt === null || before.value >= wrapsAt) return after.value;
  const madeIfWrapped = made + wrapsAt;
  const mostPlausible = maxPerMs === null ? wrapsAt / 2 : maxPerMs * elapsedMs;
  return madeIfWrapped <= mostPlausible ? madeIfWrapped : after.value;
}
