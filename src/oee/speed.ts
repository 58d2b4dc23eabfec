import { RECENT_MS } from "./metrics.ts";
import { bucketOf, type Segment } from "./shift-ledger.ts";
import { recentRunning } from "./shift-record.ts";
import { clip, HOUR_MS, type Interval, MINUTE_MS } from "./time.ts";
import type { Piece } from "./timeline.ts";

/** A running machine is slow below this share of its standard speed, or after more short stops than this in the last hour. */
const SLOW_BELOW = 0.8;
const MOST_SHORT_STOPS = 5;
/** A stop that is shorter than this is a short stop. */
const SHORT_STOP_MS = 5 * MINUTE_MS;
/** A speed is measured over at least this many standard cycles: over fewer, a single cycle would make the difference. */
const MEASURED_CYCLES = 10;

/** The non-programmed stops of under five minutes that ended in the last hour. Each leaves the count one hour after its end. */
export function shortStops(pieces: readonly Piece[], now: number): Piece[] {
  return pieces.filter((piece) => isShortStop(piece) && now - HOUR_MS < piece.end && piece.end <= now);
}

export function isShortStop(piece: Piece): boolean {
  return bucketOf(piece) === "nonProgrammed" && piece.end - piece.start < SHORT_STOP_MS;
}

/**
 * The running time over which a speed is measured: the last ten minutes, or ten standard cycles where these take longer.
 * @param segments of the running shift, in order
 * @param window from the start of the present SKU to the newest event: production after that is not known yet
 * @returns latest first; empty if it ran for less than ten standard cycles
 */
export function measuredTime(segments: readonly Segment[], standardCycleMs: number, window: Interval): Interval[] {
  const leastMs = MEASURED_CYCLES * standardCycleMs;
  const inWindow = segments.flatMap((segment) => {
    const part = clip(segment, window.start, window.end);
    return part ? [{ ...segment, ...part }] : [];
  });
  const recent = recentRunning(inWindow, Math.max(RECENT_MS, leastMs));
  return lengthOf(recent) < leastMs ? [] : recent;
}

/**
 * Whether a running machine is slow.
 * @param measured the result of `measuredTime`; `units` were counted in it
 */
export function isSlow(measured: readonly Interval[], units: number, unitStandardMs: number, shortStopCount: number): boolean {
  return shortStopCount > MOST_SHORT_STOPS || units * unitStandardMs < SLOW_BELOW * lengthOf(measured);
}

function lengthOf(intervals: readonly Interval[]): number {
  return intervals.reduce((ms, { start, end }) => ms + end - start, 0);
}
