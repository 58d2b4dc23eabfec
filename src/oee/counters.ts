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
  /** The time that one pulse takes at the standard in force; null: unknown. */
  standardMs: number | null;
}

/**
 * The newest readings of a counter, which have one time: plain data, which can be saved as JSON. The order of readings with the same time is
 * unknown, so they are taken in the order in which a counter can have shown them: up from the reading before, then down to those below it.
 */
export interface CounterState {
  at: number;
  /** The newest reading of an earlier time; null: none. */
  before: Reading | null;
  /** The highest of the readings that are not below `before`; its value if there are none. */
  high: number;
  /** The highest of the readings below `before`; null: there are none. */
  low: number | null;
}

/** A counter that is faster than this many times the standard is not plausible. */
const FASTEST = 20;

/**
 * Adds the next reading of a counter. Returns the new state, and the pulses that were made since the readings before. The first reading counts
 * nothing, and neither do others of the same time.
 */
export function addReading(
  known: CounterState | null,
  { at, value }: Reading,
  counter: Counter,
): { state: CounterState; pulses: number } {
  const state = known?.at === at ? known : startOf(known, at, value);
  const { before } = state;
  const next =
    before === null || value >= before.value
      ? { ...state, high: Math.max(state.high, value) }
      : { ...state, low: Math.max(state.low ?? 0, value) };
  return { state: next, pulses: Math.max(0, pulsesOf(next, counter) - pulsesOf(state, counter)) };
}

/** The state at a new time, before its first reading is added. */
function startOf(known: CounterState | null, at: number, value: number): CounterState {
  const before = known && { at: known.at, value: known.low ?? known.high };
  return { at, before, high: before?.value ?? value, low: null };
}

/** The pulses since the reading before. If the total went down, the counter wrapped, or it was reset and made what it shows since. */
function pulsesOf({ at, before, high, low }: CounterState, { wrapsAt, standardMs }: Counter): number {
  if (before === null) return 0;
  if (low === null) return high - before.value;
  const isReset = high - before.value + low;
  if (wrapsAt === null || high >= wrapsAt) return isReset;
  const isWrapped = low - before.value + wrapsAt;
  return isWrapped <= mostPlausible(at - before.at, wrapsAt, standardMs) ? isWrapped : isReset;
}

/** The most pulses that are plausible for a counter that wraps. However short the time is, a cycle may have ended in it. */
function mostPlausible(elapsedMs: number, wrapsAt: number, standardMs: number | null): number {
  return standardMs === null ? wrapsAt / 2 : FASTEST * Math.max(1, elapsedMs / standardMs);
}
