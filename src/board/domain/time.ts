// Lengths of time and instants (epoch ms), for all of the board. Apart from days.ts because every page loads this module first.

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** An instant as the API writes it: "2026-11-22T10:48:05.000Z". */
export function iso(at: number): string {
  return new Date(at).toISOString();
}
