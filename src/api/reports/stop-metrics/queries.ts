import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { ifGiven, ifListed } from "../../../db/conditions.ts";
import { machines, shiftRecords, shifts, stopCauses, stops } from "../../../db/schema.ts";
import { bucketsOf, countsAsStop, overlapOf, scheduledMsOf, spread, startsIn, stopUntil } from "../../../db/spread.ts";
import type { ReportBuckets } from "../../../oee/report-buckets.ts";

const causesColumns = { from: stopCauses, id: stopCauses.id, name: stopCauses.name };

/** Columns that stops are grouped by, and the matching column of shift records for groupings that also apply to available time. */
const groupings = {
  machine: { stop: stops.machineId, record: shiftRecords.machineId, from: machines, id: machines.id, name: machines.name },
  shift: { stop: stops.shiftId, record: shiftRecords.shiftId, from: shifts, id: shifts.id, name: shifts.name },
  general_cause: { stop: stops.generalCauseId, record: undefined, ...causesColumns },
  specific_cause: { stop: stops.specificCauseId, record: undefined, ...causesColumns },
  component: { stop: stops.componentId, record: undefined, ...causesColumns },
};
type Grouping = keyof typeof groupings;

export interface ChartQuery {
  companyId: number;
  machineIds: readonly number[] | undefined;
  shiftIds: readonly number[] | undefined;
  isProgrammed: boolean | undefined;
  groupBy: Grouping | undefined;
  buckets: ReportBuckets;
  now: number;
  /** The maximum number of rows to return. */
  limit: number;
}

/** Sums of a bucket (by its index in the query's list) and a group; the group is null if there is none. */
export type StopRow = Awaited<ReturnType<typeof findSums>>["stopRows"][number];
export type AvailableRow = Awaited<ReturnType<typeof findSums>>["availableRows"][number];

/** Sums of a company's stops per bucket and group, and of available time if wanted. One trip. */
export async function findSums(db: CompanyDb, query: ChartQuery, wantsAvailable: boolean) {
  if (!wantsAvailable) return { stopRows: await stopSums(db, query), availableRows: [] };
  const [stopRows, availableRows] = await db.batch([stopSums(db, query), availableSums(db, query)]);
  return { stopRows, availableRows };
}

function stopSums(db: CompanyDb, query: ChartQuery) {
  const { isProgrammed, groupBy, buckets, now, limit } = query;
  const grouping = groupBy && groupings[groupBy];
  const until = stopUntil(now);
  const isWanted = ifGiven(stops.isProgrammed, isProgrammed);
  const overlap = overlapOf(buckets, { start: sql`${stops.sliceStart}`, until });
  const isCounted = countsAsStop(buckets);
  const sums = sql`(WITH ${bucketsOf(buckets)}
    SELECT bucket.i AS i, ${grouping?.stop ?? sql`NULL`} AS group_id,
      sum(${isCounted}) AS stop_count,
      sum(${isCounted} AND ${stops.classificationId} IS NULL) AS unclassified_count,
      sum(${overlap}) AS stop_ms,
      sum(${overlap} * ${stops.isProgrammed}) AS programmed_ms,
      sum(${isCounted} AND NOT ${stops.isProgrammed}) AS failure_count,
      sum(iif(${isCounted}, ${scheduledMsOf(now)}, 0)) AS counted_ms
    FROM ${spread(buckets, sql`${stops}`, and(stopsOf(query), isWanted), { until })}
    GROUP BY 1, 2 LIMIT ${limit}) AS sums`;
  return db
    .select({
      i: sql<number>`sums.i`.as("i"),
      groupId: sql<number | null>`sums.group_id`.as("group_id"),
      groupName: sql<string | null>`${grouping?.name ?? sql`NULL`}`.as("group_name"),
      stopCount: sql<number>`sums.stop_count`.as("stop_count"),
      unclassifiedCount: sql<number>`sums.unclassified_count`.as("unclassified_count"),
      stopMs: sql<number>`sums.stop_ms`.as("stop_ms"),
      programmedMs: sql<number>`sums.programmed_ms`.as("programmed_ms"),
      failureCount: sql<number>`sums.failure_count`.as("failure_count"),
      countedMs: sql<number>`sums.counted_ms`.as("counted_ms"),
    })
    .from(sums)
    .leftJoin(grouping?.from ?? machines, grouping ? sql`${grouping.id} = sums.group_id` : sql`0`);
}

/** Available time: shift time in service without no data and without any stops, regardless of the query's filter on stops. */
function availableSums(db: CompanyDb, query: ChartQuery) {
  const { companyId, machineIds, shiftIds, groupBy, buckets, now } = query;
  const grouping = groupBy && groupings[groupBy];
  const recordGroup = grouping?.record ?? sql`NULL`;
  const stopGroup = grouping?.record ? grouping.stop : sql`NULL`;
  const recordsSelected = and(
    eq(shiftRecords.companyId, companyId),
    startsIn(shiftRecords.startAt),
    ifListed(shiftRecords.machineId, machineIds),
    ifListed(shiftRecords.shiftId, shiftIds),
  );
  const recordEnd = sql`min(${now}, ${shiftRecords.endAt})`;
  const inService = sql`${shiftRecords} CROSS JOIN ${machines} ON ${machines.id} = ${shiftRecords.machineId}`;
  const serviceStart = sql`max(${shiftRecords.startAt}, ${machines.commissionedAt})`;
  const serviceEnd = sql`min(${recordEnd}, coalesce(${machines.decommissionedAt}, ${now}))`;
  const silent = sql`${shiftRecords} CROSS JOIN json_each(${shiftRecords.noDataSpans}) AS silence`;
  const silentUntil = sql`coalesce(silence.value->>1, ${recordEnd})`;
  const sums = sql`(WITH ${bucketsOf(buckets)}
    SELECT i, group_id, sum(ms) AS available_ms FROM (
      SELECT bucket.i AS i, ${recordGroup} AS group_id, ${overlapOf(buckets, { start: serviceStart, until: serviceEnd })} AS ms
      FROM ${spread(buckets, inService, recordsSelected, { until: serviceEnd })}
      UNION ALL
      SELECT bucket.i, ${recordGroup}, -${overlapOf(buckets, { start: sql`silence.value->>0`, until: silentUntil })}
      FROM ${spread(buckets, silent, recordsSelected, { until: silentUntil })}
      UNION ALL
      SELECT bucket.i, ${stopGroup}, -${overlapOf(buckets, { start: sql`${stops.sliceStart}`, until: stopUntil(now) })}
      FROM ${spread(buckets, sql`${stops}`, stopsOf(query), { until: stopUntil(now) })})
    GROUP BY 1, 2) AS sums`;
  return db
    .select({
      i: sql<number>`sums.i`.as("i"),
      groupId: sql<number | null>`sums.group_id`.as("group_id"),
      availableMs: sql<number>`sums.available_ms`.as("available_ms"),
    })
    .from(sums);
}

function stopsOf({ companyId, machineIds, shiftIds }: ChartQuery): SQL | undefined {
  return and(
    eq(stops.companyId, companyId),
    startsIn(stops.sliceStart),
    isNull(stops.deletedAt),
    ifListed(stops.machineId, machineIds),
    ifListed(stops.shiftId, shiftIds),
  );
}
