/** A count as far as it matters whether a machine can have made it. */
export interface CheckedCount {
  pulses: number;
  /** The cycles among them; 0: its channel counts none. */
  cycles: number;
  /** It was made between these instants (epoch ms). */
  since: number;
  at: number;
  /** The standard cycle in force, in ms; null: there is none. */
  standardMs: number | null;
}

/** How many times the cycles that fit a machine may report, unless its set-up says otherwise. */
export const HOLD_FACTOR = 20;
/** Cycles that are plausible in any time: what a device collects while it is not connected comes at once. */
const ALWAYS_PLAUSIBLE = 1000;
/** Pulses that are plausible where no standard says how many fit. */
const PLAUSIBLE_WITHOUT_STANDARD = 1_000_000;

/** Whether a count can be implausible at all: nearly none can. */
export function isSuspicious({ pulses }: Pick<CheckedCount, "pulses">): boolean {
  return pulses > ALWAYS_PLAUSIBLE;
}

/**
 * Whether a machine can have made a count.
 * @param holdFactor how many times the cycles that fit, at the standard, are plausible; null: everything is
 */
export function isPlausible({ pulses, cycles, since, at, standardMs }: CheckedCount, holdFactor: number | null): boolean {
  if (holdFactor === null) return true;
  if (standardMs === null || cycles === 0) return pulses <= PLAUSIBLE_WITHOUT_STANDARD;
  return cycles <= ALWAYS_PLAUSIBLE || cycles * standardMs <= holdFactor * (at - since);
}
