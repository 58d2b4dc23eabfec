import { DAY_MS, HOUR_MS, type Interval, isoWeekday } from "./time.ts";
import { localToUtc, zoneOffsetMs } from "./zone.ts";

export type BucketSize = "hour" | "day" | "week";

/** A local hour, day or week of a chart: the part of it inside the chart's range. */
export interface ChartBucket extends Interval {
  /** Where the whole of it begins, epoch ms. */
  x: number;
}

/**
 * The local hours, days (from midnight) or weeks (from Monday's) that [start, end) touches, in order and without a gap.
 * A day that changes the clock has 23 or 25 hours. Stops one after `limit`, so that the caller can tell "too many".
 */
export function chartBuckets(timezone: string, size: BucketSize, { start, end }: Interval, limit: number): ChartBucket[] {
  const buckets: ChartBucket[] = [];
  const starts = size === "hour" ? localHours(timezone, start) : localDays(timezone, start, size === "day" ? 1 : 7);
  let x = starts.next().value;
  while (x < end && buckets.length <= limit) {
    const next = starts.next().value;
    // A zone that crossed the date line left a day out.
    if (next > x) buckets.push({ x, start: Math.max(x, start), end: Math.min(next, end) });
    x = next;
  }
  return buckets;
}

function* localHours(timezone: string, from: number): Generator<number, never> {
  let hour = from - sinceHour(timezone, from);
  while (true) {
    yield hour;
    hour += HOUR_MS;
    // Where the clock is changed by half an hour, the hour in which that happens lasts until the clock shows a full one.
    hour += (HOUR_MS - sinceHour(timezone, hour)) % HOUR_MS;
  }
}

function* localDays(timezone: string, from: number, step: number): Generator<number, never> {
  const firstDay = Math.floor((from + zoneOffsetMs(timezone, from)) / DAY_MS);
  let day = step === 7 ? firstDay - (isoWeekday(firstDay) - 1) : firstDay;
  while (true) {
    yield localToUtc(timezone, day, 0);
    day += step;
  }
}

/** Since the wall clock last showed a full hour, ms. */
function sinceHour(timezone: string, at: number): number {
  return (((at + zoneOffsetMs(timezone, at)) % HOUR_MS) + HOUR_MS) % HOUR_MS;
}
