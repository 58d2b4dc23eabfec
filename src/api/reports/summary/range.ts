import type { FaultCode } from "../../../core/fault-codes.ts";
import { type Fault, invalid } from "../../../core/problem.ts";
import { chartBuckets } from "../../../oee/buckets.ts";
import { DAY_MS, HOUR_MS, type Interval } from "../../../oee/time.ts";

/** The maximum range of a report, in days. */
export const MAX_DAYS = 366;

/** True if a range is too long for a report. A clock change may make the days an hour longer in total. */
export function isTooLong({ start, end }: Interval): boolean {
  return end - start > MAX_DAYS * DAY_MS + HOUR_MS;
}

interface AskedRange {
  from: number | undefined;
  to: number | undefined;
}

/**
 * The range of a report, in epoch ms, from `from` and `to` of the request.
 * @param defaultEnd the default of `to`: the end of the current hour
 * @param defaultFrom returns the default of `from`, given the end
 * @throws Problem 400 if `from` is not before the end, or the range is longer than `MAX_DAYS`
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
 * The end of the local hour of an instant: the default end of a range. It keeps the range of the same request unchanged for an hour, and
 * thus its response as long as nothing happens.
 */
export function hourEnd(timezone: string, now: number): number {
  return chartBuckets(timezone, "hour", { start: now, end: now + 1 }, 1)[0]?.xEnd ?? now;
}

function fault(code: FaultCode, message: string): Fault {
  return { pointer: "/query/from", code, message };
}
