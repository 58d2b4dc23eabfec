// From which value on a percentage is good, and below which it is bad: by the thresholds of a machine, or else those of the company.

export interface Thresholds {
  badBelow: number;
  goodFrom: number;
}

export type Rated = "oee" | "availability" | "coverage";
export type Rating = "bad" | "watched" | "good";

/** What has thresholds: a company all of them, a machine those that are its own. */
export type HasThresholds<T = Thresholds | null> = Record<`${Rated}Thresholds`, T>;

/** How a percentage is, as it is shown: 95.96 is "96.0 %", and that is enough from 96 on. */
export function ratingOf(value: number, { badBelow, goodFrom }: Thresholds, decimals: number): Rating {
  const shown = Number(value.toFixed(decimals));
  return shown < badBelow ? "bad" : shown < goodFrom ? "watched" : "good";
}

/**
 * The thresholds of what one machine or several did.
 * @param machine undefined: several, or one that is gone
 */
export function thresholdsOf(rated: Rated, company: HasThresholds<Thresholds>, machine?: HasThresholds): Thresholds {
  return machine?.[`${rated}Thresholds`] ?? company[`${rated}Thresholds`];
}

/** Whether some of the machines have thresholds of their own. */
export function hasOwnThresholds(rated: Rated, machines: readonly HasThresholds[]): boolean {
  return machines.some((machine) => machine[`${rated}Thresholds`] !== null);
}
