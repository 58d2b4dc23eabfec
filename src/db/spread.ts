import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { ChartBucket } from "../oee/buckets.ts";
import { minOf } from "../oee/extremes.ts";
import { MAX_SHIFT_MS } from "../oee/shifts.ts";
import { stops } from "./schema.ts";

// Divides the times of slices and shifts among the buckets of a report. A statement begins with `bucketsOf` and selects from `spread`.

type Buckets = readonly ChartBucket[];

/** The buckets as a table, numbered from 0. Number -1 is for rows that start before the range and reach into it. */
export function bucketsOf(buckets: Buckets): SQL {
  const earliest = (buckets[0]?.start ?? 0) - MAX_SHIFT_MS;
  const rows = JSON.stringify([[earliest, buckets[0]?.start ?? 0], ...buckets.map(({ start, end }) => [start, end])]);
  return sql`buckets AS MATERIALIZED
    (SELECT key - 1 AS i, value->>0 AS starts, value->>1 AS ends FROM json_each(${rows}))`;
}

/** The buckets that a slice or shift can reach, as a JSON list of steps from the one in which it starts. */
function reachOf(buckets: Buckets): string {
  // The first and last bucket may be cut short by the range.
  const shortestMs = minOf([MAX_SHIFT_MS, ...buckets.slice(1, -1).map(({ start, end }) => end - start)]);
  const steps = Math.min(buckets.length + 1, Math.ceil(MAX_SHIFT_MS / shortestMs) + 2);
  return JSON.stringify([...Array(steps).keys()]);
}

/**
 * Returns the rows of a table once for each bucket that they cover, as `bucket`; `selected` contains `startsIn`. The index finds
 * every row in the bucket in which it starts; the few rows that last longer are then joined to the next buckets by number. A join by overlap
 * would compare every row with every bucket.
 */
export function spread(buckets: Buckets, from: SQL, selected: SQL | undefined, until: SQL): SQL {
  return sql`buckets AS first CROSS JOIN ${from}
    CROSS JOIN json_each(CASE WHEN ${until} > first.ends THEN ${reachOf(buckets)} ELSE '[0]' END) AS step
    CROSS JOIN buckets AS bucket
    WHERE ${selected} AND bucket.i = first.i + step.value AND bucket.i >= 0 AND (step.value = 0 OR bucket.starts < ${until})`;
}

/** Condition: a row starts in the bucket in which `spread` looks for it. */
export function startsIn(column: SQLiteColumn): SQL {
  return sql`${column} >= first.starts AND ${column} < first.ends`;
}

/** The time of [start, until) in the bucket, in ms. */
export function overlapOf(start: SQL, until: SQL): SQL {
  return sql`max(0, min(${until}, bucket.ends) - max(${start}, bucket.starts))`;
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

/** True if a slice counts as a stop in the bucket: each stop that is included in stops counts once, in the bucket of its start. */
export const countsAsStop = sql`(step.value = 0 AND ${stops.isIncludedInStops} AND (${stops.startAt} = ${stops.sliceStart} OR NOT EXISTS (
    SELECT 1 FROM ${stops} AS earlier
    WHERE earlier.id = ${stops.id} AND earlier.shift_start < ${stops.shiftStart} AND earlier.deleted_at IS NULL)))`;
