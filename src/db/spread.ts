import { and, gte, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { ChartBucket } from "../oee/buckets.ts";
import { minOf } from "../oee/extremes.ts";
import { type ReportBuckets, type ReportRange, searchedTime } from "../oee/report-buckets.ts";
import { MAX_SHIFT_MS } from "../oee/shifts.ts";
import { stops } from "./schema.ts";

// Divides the times of slices and shifts among the buckets of a report, as oee/report-buckets.ts does. A statement begins with `bucketsOf`. It selects
// either from `spread`, or from `inBuckets` what counts where it starts.

/** The buckets as a table, numbered from 0, and the buckets of production days. Number -1 is for rows that start before the range and reach into it. */
export function bucketsOf({ list, ofDay }: ReportBuckets): SQL {
  const first = list[0]?.start ?? 0;
  const rows = JSON.stringify([[first - MAX_SHIFT_MS, first], ...list.map(({ start, end }) => [start, end])]);
  const days = sql`, days AS MATERIALIZED (SELECT value->>0 AS day, value->>1 AS i FROM json_each(${JSON.stringify([...(ofDay ?? [])])}))`;
  return sql`buckets AS MATERIALIZED
    (SELECT key - 1 AS i, value->>0 AS starts, value->>1 AS ends FROM json_each(${rows}))${ofDay ? days : sql``}`;
}

/** The bucket of each row's production day, as `of_day`: null if it has none. */
function withDays({ ofDay }: ReportBuckets, day: SQLWrapper): SQL {
  return ofDay ? sql`LEFT JOIN days AS of_day ON of_day.day = ${day}` : sql``;
}

/** Condition: both bounds of a range hold for a row, by its time or by the production day of its shift (null: it has none). */
function isWithin({ firstDay, afterDay }: ReportRange, isFrom: SQL, isBefore: SQL, day: SQLWrapper | null): SQL | undefined {
  return and(
    firstDay === null || !day ? isFrom : sql`iif(${day} IS NULL, ${isFrom}, ${day} >= ${firstDay})`,
    afterDay === null || !day ? isBefore : sql`iif(${day} IS NULL, ${isBefore}, ${day} < ${afterDay})`,
  );
}

/** Condition: a row that starts at an instant, in a shift of a production day (null: none), counts in a range. */
export function countsIn(range: ReportRange, at: SQLWrapper, day: SQLWrapper | null): SQL | undefined {
  if (!range.hasProductionDays) return undefined;
  return isWithin(range, sql`${at} >= ${range.start}`, sql`${at} < ${range.end}`, day);
}

/** Condition: something of a row's time counts in a range. */
export function overlaps(
  range: ReportRange,
  { start, until, day }: { start: SQLWrapper; until: SQLWrapper; day: SQLWrapper },
): SQL | undefined {
  return isWithin(range, sql`${until} > ${range.start}`, sql`${start} < ${range.end}`, day);
}

/** Condition: a row that starts at `at` counts in a range, which is searched by the index on its start. */
export function startsInRange(range: ReportRange, at: SQLiteColumn, day: SQLWrapper): SQL | undefined {
  const searched = searchedTime(range);
  return and(gte(at, searched.start), lt(at, searched.end), countsIn(range, at, day));
}

/** The rows of a table that count where they start, each in the bucket `bucketOfRow`. */
export function inBuckets(
  buckets: ReportBuckets,
  table: SQLiteTable | SQL,
  at: SQLiteColumn,
  day: SQLWrapper | null,
  selected: SQL | undefined,
): SQL {
  const days = day ? withDays(buckets, day) : sql``;
  return sql`buckets AS first CROSS JOIN ${table} ${days}
    WHERE first.i >= 0 AND ${and(startsIn(at), countsIn(buckets.range, at, day), selected)}`;
}

/** The bucket of a row of `inBuckets`. */
export function bucketOfRow({ ofDay }: ReportBuckets, day: SQLWrapper | null): SQL {
  return ofDay && day ? sql`coalesce(of_day.i, first.i)` : sql`first.i`;
}

/** The buckets that a slice or shift can reach, as a JSON list of steps from the one in which it starts. */
function reachOf(list: readonly ChartBucket[]): string {
  // The first and last bucket may be cut short by the range.
  const shortestMs = minOf([MAX_SHIFT_MS, ...list.slice(1, -1).map(({ start, end }) => end - start)]);
  const steps = Math.min(list.length + 1, Math.ceil(MAX_SHIFT_MS / shortestMs) + 2);
  return JSON.stringify([...Array(steps).keys()]);
}

/** The time of a row that is divided among buckets, and the production day of its shift (undefined: it counts where it is in time). */
interface SpreadRow {
  start: SQL;
  until: SQL;
  day?: SQLWrapper;
}

/**
 * Returns the rows of a table once for each bucket that they cover, as `bucket`; `selected` contains `startsIn`. The index finds
 * every row in the bucket in which it starts; the few rows that last longer are then joined to the next buckets by number. A join by overlap
 * would compare every row with every bucket. A row with a production day has the bucket of that day alone.
 */
export function spread(
  buckets: ReportBuckets,
  from: SQL,
  selected: SQL | undefined,
  { until, day }: Pick<SpreadRow, "until" | "day">,
): SQL {
  const isByDay = buckets.ofDay !== null && day !== undefined;
  const ofOwnDay = isByDay ? sql`WHEN of_day.i IS NOT NULL THEN json_array(of_day.i - first.i)` : sql``;
  const isReached = sql`step.value = 0 OR bucket.starts < ${until}`;
  return sql`buckets AS first CROSS JOIN ${from} ${isByDay ? withDays(buckets, day) : sql``}
    CROSS JOIN json_each(CASE ${ofOwnDay} WHEN ${until} > first.ends THEN ${reachOf(buckets.list)} ELSE '[0]' END) AS step
    CROSS JOIN buckets AS bucket
    WHERE ${selected} AND bucket.i = first.i + step.value AND bucket.i >= 0 AND (${isByDay ? sql`of_day.i IS NOT NULL OR ${isReached}` : isReached})`;
}

/** Condition: a row starts in the bucket in which `spread` and `inBuckets` look for it. */
export function startsIn(column: SQLiteColumn): SQL {
  return sql`${column} >= first.starts AND ${column} < first.ends`;
}

/** The time of a row in the bucket, in ms. */
export function overlapOf({ range, ofDay }: ReportBuckets, { start, until, day }: SpreadRow): SQL {
  if (!range.hasProductionDays || !day) return sql`max(0, min(${until}, bucket.ends) - max(${start}, bucket.starts))`;
  const from =
    range.firstDay === null
      ? sql`max(${start}, ${range.start})`
      : sql`iif(${day} IS NULL, max(${start}, ${range.start}), ${start})`;
  const to =
    range.afterDay === null ? sql`min(${until}, ${range.end})` : sql`iif(${day} IS NULL, min(${until}, ${range.end}), ${until})`;
  const inBucket = sql`min(${to}, bucket.ends) - max(${from}, bucket.starts)`;
  return sql`max(0, ${ofDay ? sql`iif(of_day.i IS NULL, ${inBucket}, ${to} - ${from})` : inBucket})`;
}

/** Condition: a production day is not outside a range; all rows without one are kept, as their time decides. */
export function isDayIn({ firstDay, afterDay }: ReportRange, day: SQLWrapper): SQL | undefined {
  return and(
    firstDay === null ? undefined : sql`coalesce(${day} >= ${firstDay}, 1)`,
    afterDay === null ? undefined : sql`coalesce(${day} < ${afterDay}, 1)`,
  );
}

/** The end of a slice; for an open one, now or the end of its shift. */
export function stopUntil(now: number): SQL {
  return sql`coalesce(${stops.sliceEnd}, min(${now}, ${stops.shiftEnd}))`;
}

/**
 * The scheduled length of a whole stop in ms, from any of its slices: the time outside shifts does not count. As of `now` while the stop is
 * open. Only a stop that crosses the edge of a shift has other slices to look up.
 */
export function scheduledMsOf(now: number): SQL {
  const ofSlice = (from: SQL) => sql`max(0, coalesce(${from}.slice_end, min(${now}, ${from}.shift_end)) - ${from}.slice_start)`;
  return sql`iif(${stops.sliceStart} = ${stops.startAt} AND ${stops.sliceEnd} = ${stops.endAt}, ${stops.sliceEnd} - ${stops.sliceStart},
    (SELECT sum(${ofSlice(sql`slice`)}) FROM ${stops} AS slice
      WHERE slice.id = ${stops.id} AND (slice.deleted_at IS NULL) = (${stops.deletedAt} IS NULL)))`;
}

/**
 * True if a slice counts as a stop in the bucket: each stop that is included in stops counts once, in the bucket of its start.
 * @param asOf as it was reported at an instant (epoch ms); undefined: now
 */
export function countsAsStop({ range, ofDay }: ReportBuckets, day?: SQLWrapper, asOf?: number): SQL {
  const isFirst = ofDay && day ? sql`(of_day.i IS NOT NULL OR step.value = 0)` : sql`step.value = 0`;
  const isInRange = day && countsIn(range, stops.sliceStart, day);
  return sql`(${and(isFirst, isInRange)} AND ${stops.isIncludedInStops} AND (${stops.startAt} = ${stops.sliceStart} OR NOT ${hasEarlierSlice(asOf)}))`;
}

function hasEarlierSlice(asOf: number | undefined): SQL {
  const isEarlier = (table: string, isInForce: SQL) => sql`EXISTS (SELECT 1 FROM ${sql.raw(table)} AS earlier
    WHERE earlier.id = ${stops.id} AND earlier.shift_start < ${stops.shiftStart} AND earlier.deleted_at IS NULL AND ${isInForce})`;
  if (asOf === undefined) return isEarlier("stops", sql`true`);
  const since = sql`coalesce(earlier.recorded_at, 0) <= ${asOf}`;
  return sql`(${isEarlier("stops", since)} OR ${isEarlier("stops_history", sql`${since} AND earlier.replaced_at > ${asOf}`)})`;
}
