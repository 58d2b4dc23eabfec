import type { FaultCode } from "../../core/fault-codes.ts";
import { type Fault, invalid } from "../../core/problem.ts";
import { DAY_MS, HOUR_MS, type Interval } from "../../oee/time.ts";

/** The longest range of a report, in days; a change of the clock may add an hour. */
export const MAX_DAYS = 366;

interface AskedRange {
  from: number | undefined;
  to: number | undefined;
}

/**
 * The range that a report is about, in epoch ms: from and to of the request.
 * @param now what `to` means when it is left out
 * @param defaultFrom what `from` means when it is left out, given the end
 * @throws Problem 400: not before its end, or longer than `MAX_DAYS`
 */
export function rangeOf({ from, to }: AskedRange, now: number, defaultFrom: (end: number) => number): Interval {
  const end = to ?? now;
  const start = from ?? defaultFrom(end);
  if (start >= end) {
    const message = to === undefined ? "must be before now, which is the end without `to`" : "must be before `to`";
    throw invalid([fault("invalid_range", message)]);
  }
  if (end - start > MAX_DAYS * DAY_MS + HOUR_MS) {
    throw invalid([
      fault("range_too_long", `must be at most ${MAX_DAYS} days before the end of the range: narrow \`from\` and \`to\``),
    ]);
  }
  return { start, end };
}

function fault(code: FaultCode, message: string): Fault {
  return { pointer: "/query/from", code, message };
}
