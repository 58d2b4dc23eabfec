import { HOUR_MS, MINUTE_MS } from "./time.ts";

// How fast a machine has been in the last hour. Times are epoch ms.

/** The used members of a row of `GET /v1/production` with five minutes each. */
export interface PaceRow {
  start: string;
  end: string;
  total: number;
}

/** Units per hour in some minutes. */
export interface Pace {
  start: number;
  end: number;
  perHour: number;
}

/** Fewer minutes say nothing about a speed. */
const LEAST_MS = 2 * MINUTE_MS;
/** The present speed is that of the newest intervals that are at least this long together. */
const PRESENT_MS = 5 * MINUTE_MS;

/** The speed in each interval, in order. The running interval is left out while it is too short to say anything. */
export function pacesOf(rows: readonly PaceRow[], now: number): Pace[] {
  return rows
    .map(({ start, end, total }) => ({ start: Date.parse(start), end: Math.min(Date.parse(end), now), total }))
    .filter(({ start, end }) => end - start >= LEAST_MS)
    .map(({ start, end, total }) => ({ start, end, perHour: (total * HOUR_MS) / (end - start) }))
    .sort((a, b) => a.start - b.start);
}

/** The present speed in units per hour; null: unknown. */
export function paceNow(paces: readonly Pace[]): number | null {
  let [units, ms] = [0, 0];
  for (let i = paces.length - 1; i >= 0 && ms < PRESENT_MS; i--) {
    const { start, end, perHour } = paces[i] as Pace;
    units += (perHour * (end - start)) / HOUR_MS;
    ms += end - start;
  }
  return ms === 0 ? null : (units * HOUR_MS) / ms;
}

/** A machine is slow below this part of its standard, as in the API's `isSlow`. */
export const SLOW_BELOW = 0.8;

/** The highest speed of a chart: at least 1, because it is a divisor. */
export function fastestOf(paces: readonly Pace[], standard: number | null): number {
  return paces.reduce((most, { perHour }) => Math.max(most, perHour), Math.max(1, standard ?? 0));
}
