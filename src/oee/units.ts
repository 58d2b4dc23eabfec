const SCALE = 1e6;

/** Units to six decimals, as fine as a counting factor can be: sums of fractions come out even. */
export function roundUnits(units: number): number {
  return Number.isInteger(units) ? units : Math.round(units * SCALE) / SCALE;
}
