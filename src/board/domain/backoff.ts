const LEAST_MS = 500;
const MOST_MS = 30_000;

/**
 * The time to wait (ms) before connecting again after some failures in a row: random up to a bound that doubles, so that the screens of a
 * plant do not all reconnect at once.
 * @param random 0..1
 */
export function waitAfter(failures: number, random: number): number {
  const bound = Math.min(MOST_MS, LEAST_MS * 2 ** Math.max(0, failures));
  return LEAST_MS + random * (bound - LEAST_MS);
}
