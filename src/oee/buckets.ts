import { DAY_MS, HOUR_MS, type Interval, isoWeekday } from "./time.ts";
import { localToUtc, zoneOffsetMs } from "./zone.ts";

export type BucketSize = "hour" | "day" | "week" | "month";

/** A local hour, day, week or month of a chart, clipped to the chart's range. */
export interface ChartBucket extends Interval {
  /** Its start before clipping, epoch ms. */
  x: number;
  /** Its end before clipping. */
  xEnd: number;
}

/**
 * The local hours, days (from midnight), weeks (from Monday) or months that overlap [start, end), in order and without gaps.
 * The day of a clock change has 23 or 25 hours. Returns at most one more than `limit`, so that the caller notices too many.
 */
export function chartBuckets(timezone: string, size: BucketSize, { start, end }: Interval, limit: number): ChartBucket[] {
  const buckets: ChartBucket[] = [];
  const starts = startsOf(timezone, size, start);
  let x = starts.next().value;
  while (x < end && buckets.length <= limit) {
    const next = starts.next().value;
    // A zone that crossed the date line skipped a day.
    if (next > x) buckets.push({ x, xEnd: next, start: Math.max(x, start), end: Math.min(next, end) });
    x = next;
  }
  return buckets;
}

function startsOf(timezone: string, size: BucketSize, from: number): Generator<number, never> {
  if (size === "hour") return localHours(timezone, from);
  return size === "month" ? localMonths(timezone, from) : localDays(timezone, from, size === "day" ? 1 : 7);
}

function* localHours(timezone: string, from: number): Generator<number, never> {
  let hour = from - sinceHour(timezone, from);
  let steadyUntil = hour;
  while (true) {
    yield hour;
    // Computing the offset is costly. If it is the same a day later, it does not change in between.
    if (hour >= steadyUntil && zoneOffsetMs(timezone, hour) === zoneOffsetMs(timezone, hour + DAY_MS))
      steadyUntil = hour + DAY_MS;
    hour += HOUR_MS;
    // If the clock changes by half an hour, the hour of the change lasts until the clock shows the next full hour.
    if (hour > steadyUntil) hour += (HOUR_MS - sinceHour(timezone, hour)) % HOUR_MS;
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

function* localMonths(timezone: string, from: number): Generator<number, never> {
  const first = new Date(from + zoneOffsetMs(timezone, from));
  for (let month = first.getUTCMonth(); ; month++) {
    yield localToUtc(timezone, Date.UTC(first.getUTCFullYear(), month) / DAY_MS, 0);
  }
}

/** Time since the wall clock last showed a full hour, in ms. */
function sinceHour(timezone: string, at: number): number {
  return (((at + zoneOffsetMs(timezone, at)) % HOUR_MS) + HOUR_MS) % HOUR_MS;
}
