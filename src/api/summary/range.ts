import type { FaultCode } from "../../core/fault-codes.ts";
import { type Fault, invalid } from "../../core/problem.ts";
import { chartBuckets } from "../../oee/buckets.ts";
import { DAY_MS, HOUR_MS, type Interval } from "../../oee/time.ts";

/** The longest range of a report, in days. */
export const MAX_DAYS = 366;

/** Whether a range is too long for a report. Days of a year may add up to an hour more, when the clock changes. */
export function isTooLong({ start, end }: Interval): boolean {
  return end - start > MAX_DAYS * DAY_MS + HOUR_MS;
}

interface AskedRange {
  from: number | undefined;
  to: number | undefined;
}

/**
 * The range that a report is about, in epoch ms: from and to of the request.
 * @param defaultEnd what `to` means when it is left out: the end of the current hour
 * @param defaultFrom what `from` means when it is left out, given the end
 * @throws Problem 400: not before its end, or longer than `MAX_DAYS`
 */
export function rangeOf({ from, to }: AskedRange, defaultEnd: number, defaultFrom: (end: number) => number): Interval {
  const end = to ?? defaultEnd;
  const start = from ?? defaultFrom(end);
  if (start >= end) {
    const message =
      to === undefined ? "must be before the end of the current hour, which is the end without `to`" : "must be before `to`";
    throw invalid([fault("invalid_range", message)]);
  }
  if (isTooLong({ start, end })) {
    throw invalid([
      fault("range_too_long", `must be at most ${MAX_DAYS} days before the end of the range: narrow \`from\` and \`to\``),
    ]);
  }
  return { start, end };
}

/**
 * The end of the local hour of an instant: the end of a range without one. So the same request has the same range for an hour, and the same
 * answer as long as nothing happens.
 */
export function hourEnd(timezone: string, now: number): number {
  return chartBuckets(timezone, "hour", { start: now, end: now + 1 }, 1)[0]?.xEnd ?? now;
}

function fault(code: FaultCode, message: string): Fault {
  return { pointer: "/query/from", code, message };
}
