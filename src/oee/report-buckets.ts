import { type BucketSize, type ChartBucket, chartBuckets } from "./buckets.ts";
import type { WeekStart } from "./production-day.ts";
import { HOUR_MS, type Interval } from "./time.ts";
import { localDay, localToUtc } from "./zone.ts";

// Decides for which time a row of a report counts. A row of a shift with a production day counts for that day as a whole; all others, and everything in
// groups of hours, count where they are in time. db/spread.ts says the same in SQL, and nothing else decides it.

/** The members of a company by which the rows of its reports count. */
export interface PlantCalendar {
  timezone: string;
  weekStart: WeekStart;
  /** False: no shift of the company was ever given a production day. */
  hasProductionDays: boolean;
}

/** The time that a report covers. Days are local ones, in days since 1970-01-01. */
export interface ReportRange extends Interval {
  /** The first production day, if the range begins with a local day; null: also shifts with a production day are cut at its start. */
  firstDay: number | null;
  /** The day after the last production day, likewise. */
  afterDay: number | null;
  hasProductionDays: boolean;
}

/** How far from its production day a part of a shift can be: a shift lasts up to 25 h, and the company's time zone may have been another one then. */
const EDGE_MS = 36 * HOUR_MS;
/** More than the buckets in two edges. */
const EDGE_BUCKETS = 100;

/**
 * The range of a report from its instants: a bound at local midnight is the edge of a day.
 * @param isInstant the bounds that nobody has chosen, which are instants even at midnight
 */
export function reportRange(
  { timezone, hasProductionDays }: PlantCalendar,
  { start, end }: Interval,
  isInstant: { start?: boolean; end?: boolean } = {},
): ReportRange {
  const dayFrom = (at: number) => {
    const day = localDay(timezone, at);
    return hasProductionDays && localToUtc(timezone, day, 0) === at ? day : null;
  };
  return {
    ...{ start, end, hasProductionDays },
    firstDay: isInstant.start ? null : dayFrom(start),
    afterDay: isInstant.end ? null : dayFrom(end),
  };
}

/** A range that is cut at its instants, whatever the days of the rows. */
export function instantRange({ start, end }: Interval): ReportRange {
  return { start, end, firstDay: null, afterDay: null, hasProductionDays: false };
}

/** The time in which rows of a range can start. */
export function searchedTime({ start, end, hasProductionDays }: ReportRange): Interval {
  return hasProductionDays ? { start: start - EDGE_MS, end: end + EDGE_MS } : { start, end };
}

/** The time of rows with a production day (null: none) that is in a range; null: nothing of them. */
export function countedTime({ start, end, firstDay, afterDay }: ReportRange, day: number | null): Interval | null {
  if (day === null) return { start, end };
  if ((firstDay !== null && day < firstDay) || (afterDay !== null && day >= afterDay)) return null;
  return {
    start: firstDay === null ? start : Number.NEGATIVE_INFINITY,
    end: afterDay === null ? end : Number.POSITIVE_INFINITY,
  };
}

/** The buckets of a report. */
export interface ReportBuckets {
  range: ReportRange;
  /** In order and without gaps; they cover the searched time. */
  list: readonly ChartBucket[];
  /** The index of the bucket of each production day; null: rows count where they are in time. */
  ofDay: ReadonlyMap<number, number> | null;
}

/** The local hours, days, weeks or months of a range; at most a few more than `limit`. */
export function reportBuckets(
  { timezone, weekStart }: PlantCalendar,
  size: BucketSize,
  range: ReportRange,
  limit: number,
): ReportBuckets {
  const list = chartBuckets(timezone, size, searchedTime(range), limit + EDGE_BUCKETS, weekStart);
  if (size === "hour" || !range.hasProductionDays) return { range, list, ofDay: null };
  const ofDay = new Map<number, number>();
  for (const [i, { x, xEnd }] of list.entries()) {
    for (let day = localDay(timezone, x); day <= localDay(timezone, xEnd - 1); day++) ofDay.set(day, i);
  }
  return { range, list, ofDay };
}

/** All of a range as one bucket. */
export function wholeRange(range: ReportRange): ReportBuckets {
  return { range, list: [{ x: range.start, xEnd: range.end, ...searchedTime(range) }], ofDay: null };
}

/** The index of the bucket in which what starts at an instant counts, in a shift of a production day (null: none); -1: it is not in the range. */
export function bucketIndexOf({ range, list, ofDay }: ReportBuckets, at: number, day: number | null): number {
  const counted = countedTime(range, day);
  if (!counted || at < counted.start || at >= counted.end) return -1;
  const ofOwnDay = day === null ? undefined : ofDay?.get(day);
  return ofOwnDay ?? list.findIndex(({ start, end }) => start <= at && at < end);
}
