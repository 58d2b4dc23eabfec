import type { UserActor } from "../../../core/actor.ts";
import type { Reader } from "../../../core/caller.ts";
import { companyZone } from "../../../core/company-zone.ts";
import { invalid, notFound } from "../../../core/problem.ts";
import { chartBuckets } from "../../../oee/buckets.ts";
import { instantRange } from "../../../oee/report-buckets.ts";
import type { Chart } from "./chart.ts";
import { findSums } from "./queries.ts";
import { groupsOf, seriesOf } from "./series.ts";

const maxPointsPerSeries = 2000;
const maxPoints = 200_000;

/** The series of a chart. */
export async function getStopMetrics({ db, actor }: Reader, { filter_by: filter, metrics, interval, group_by: groupBy }: Chart) {
  const companyId = chartedCompany(actor, filter.company_id);
  const timezone = await companyZone(db, companyId);
  if (!timezone) throw noCompany(companyId);

  const { from, to } = filter.date_range;
  // The contract has calendar days and weeks from Monday.
  const range = { start: from, end: to };
  const list = chartBuckets(timezone, interval, range, maxPointsPerSeries);
  if (list.length > maxPointsPerSeries) throw tooMany("/filter_by/date_range", maxPointsPerSeries, "points a series");
  const { machine_ids: machineIds, shift_ids: shiftIds, is_programmed: isProgrammed } = filter;
  const query = { companyId, machineIds, shiftIds, isProgrammed, groupBy, now: Date.now(), limit: maxPoints + 1 };
  const buckets = { range: instantRange(range), list, ofDay: null };
  const { stopRows, availableRows } = await findSums(db, { ...query, buckets }, metrics.includes("mtbf"));

  const groupCount = new Set(stopRows.map(({ groupId }) => groupId)).size;
  if (groupCount * list.length * metrics.length > maxPoints) throw tooMany("/group_by", maxPoints, "points in all");
  return seriesOf(metrics, list, groupsOf(list.length, groupBy !== undefined, stopRows, availableRows));
}

function chartedCompany({ role, companyId }: UserActor, asked: number | undefined): number {
  if (asked === undefined || asked === companyId) return companyId;
  if (role !== "superuser") throw noCompany(asked);
  return asked;
}

function noCompany(id: number) {
  return notFound(`There is no company ${id}.`);
}

function tooMany(pointer: string, limit: number, what: string) {
  return invalid([
    {
      pointer,
      code: "too_many_points",
      message: `would give more than ${limit} ${what}: narrow the range or use a longer interval`,
    },
  ]);
}
