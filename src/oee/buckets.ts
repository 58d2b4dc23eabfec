import type { WeekStart } from "./production-day.ts";
import { DAY_MS, HOUR_MS, type Interval, isoWeekday } from "./time.ts";
import { changeBetween, localDay, localToUtc, wallTime, zoneOffsetMs } from "./zone.ts";

export type BucketSize = "hour" | "day" | "week" | "month";

/** A local hour, day, week or month of a chart, clipped to the chart's range. */
export interface ChartBucket extends Interval {
  /** Its start before clipping, epoch ms. */
  x: number;
  /** Its end before clipping. */
  xEnd: number;
}

/**
 * The local hours, days (from midnight), weeks (by default from Monday) or months that overlap [start, end), in order and without gaps.
 * The day of a clock change has 23 or 25 hours. Returns at most one more than `limit`, so that the caller notices too many.
 */
export function chartBuckets(
  timezone: string,
  size: BucketSize,
  { start, end }: Interval,
  limit: number,
  weekStart: WeekStart = "monday",
): ChartBucket[] {
  const buckets: ChartBucket[] = [];
  const starts = startsOf(timezone, size, start, weekStart);
  let x = starts.next().value;
  while (x < end && buckets.length <= limit) {
    const next = starts.next().value;
    // A zone that crossed the date line skipped a day.
    if (next > x) buckets.push({ x, xEnd: next, start: Math.max(x, start), end: Math.min(next, end) });
    x = next;
  }
  return buckets;
}

function startsOf(timezone: string, size: BucketSize, from: number, weekStart: WeekStart): Generator<number, never> {
  if (size === "hour") return localHours(timezone, from);
  if (size === "month") return localMonths(timezone, from);
  const firstDay = localDay(timezone, from);
  if (size === "day") return localDays(timezone, firstDay, 1);
  const intoWeek = isoWeekday(firstDay) - 1;
  return localDays(timezone, firstDay - (weekStart === "monday" ? intoWeek : (intoWeek + 1) % 7), 7);
}

/**
 * Hours begin where the clock shows a full hour, and where it is set to another minute. None is longer than 60 minutes: on Lord Howe, whose
 * summer time is half an hour, two of a year have 30.
 */
function* localHours(timezone: string, from: number): Generator<number, never> {
  let hour = hourStart(timezone, from);
  let steadyUntil = hour;
  while (true) {
    yield hour;
    if (hour < steadyUntil) {
      hour += HOUR_MS;
      continue;
    }
    hour = nextHour(timezone, hour);
    // Computing the offset is costly. If it is the same a day later, it does not change in between.
    const isSteady = sinceHour(timezone, hour) === 0 && zoneOffsetMs(timezone, hour) === zoneOffsetMs(timezone, hour + DAY_MS);
    if (isSteady) steadyUntil = hour + DAY_MS;
  }
}

function hourStart(timezone: string, at: number): number {
  const full = at - sinceHour(timezone, at);
  return setWithin(timezone, full, at) ?? full;
}

function nextHour(timezone: string, hour: number): number {
  const full = hour + HOUR_MS - sinceHour(timezone, hour);
  return setWithin(timezone, hour, full) ?? full;
}

/** The instant in (from, to] at which the clock is set to another minute; null: there is none. */
function setWithin(timezone: string, from: number, to: number): number | null {
  const changedMs = zoneOffsetMs(timezone, to) - zoneOffsetMs(timezone, from);
  return changedMs % HOUR_MS === 0 ? null : changeBetween(timezone, from, to);
}

function* localDays(timezone: string, firstDay: number, step: number): Generator<number, never> {
  for (let day = firstDay; ; day += step) yield localToUtc(timezone, day, 0);
}

function* localMonths(timezone: string, from: number): Generator<number, never> {
  const first = new Date(wallTime(timezone, from));
  for (let month = first.getUTCMonth(); ; month++) {
    yield localToUtc(timezone, Date.UTC(first.getUTCFullYear(), month) / DAY_MS, 0);
  }
}

/** Time since the wall clock last showed a full hour, in ms. */
function sinceHour(timezone: string, at: number): number {
  return ((wallTime(timezone, at) % HOUR_MS) + HOUR_MS) % HOUR_MS;
}
