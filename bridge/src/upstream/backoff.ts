const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

/** How long to wait after a number of failures in a row: twice as long each time, and not for all bridges the same. */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const full = Math.min(FIRST_MS * 2 ** Math.max(0, failures - 1), LONGEST_MS);
  return full * (0.5 + random() / 2);
}
