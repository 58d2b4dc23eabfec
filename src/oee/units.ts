const SCALE = 1e6;

/** Rounds units to six decimals, the resolution of a counting factor, so that sums of fractions are exact. */
export function roundUnits(units: number): number {
  return Number.isInteger(units) ? units : Math.round(units * SCALE) / SCALE;
}
