import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import type { UserActor } from "../../../core/actor.ts";
import { companyZone } from "../../../core/company-zone.ts";
import { distinct, instant } from "../../../core/inputs.ts";
import { invalid, notFound } from "../../../core/problem.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { db } from "../../../http/session.ts";
import { chartBuckets } from "../../../oee/buckets.ts";
import { stopMetricNames } from "./metrics.ts";
import { findSums } from "./queries.ts";
import { groupsOf, series, seriesOf } from "./series.ts";

const maxPointsPerSeries = 2000;
const maxPoints = 200_000;

const ids = distinct(z.int()).optional().openapi({ description: "Only these; an empty list selects nothing" });
const sinceEpoch = instant.refine((at) => at >= 0, "must not be before 1970");
const dateRange = z
  .strictObject({ from: sinceEpoch, to: sinceEpoch })
  .refine(({ from, to }) => from < to, { path: ["to"], message: "must be after `from`" });

const chart = z.strictObject({
  filter_by: z.strictObject({
    date_range: dateRange.openapi({
      description: "`from` is included, `to` is not; minutes and stops outside the range are left out",
    }),
    machine_ids: ids,
    shift_ids: ids,
    is_programmed: z.boolean().optional(),
    company_id: z.int().optional().openapi({ description: "Superusers only; all others mean their own" }),
  }),
  metrics: distinct(z.enum(stopMetricNames)).min(1),
  interval: z.enum(["hour", "day", "week"]).default("day"),
  group_by: z.enum(["machine", "shift", "general_cause", "specific_cause", "component"]).optional(),
});

export const contract = createRoute({
  method: "post",
  path: "/widget/stop-metrics",
  operationId: "getStopMetrics",
  tags: ["widgets"],
  summary: "Stop metrics as chart series",
  description:
    "Buckets are hours, days or weeks (from Monday) in the company's time zone, without gaps. Minutes count in each bucket that a stop " +
    "covers, up to now while it is open. Stops count once, in the bucket in which they start, however many shifts they touch. " +
    "`stop_count`, `unclassified_count`, `mttr` and `mtbf` leave out stops that are not included in stops; durations include all. " +
    "`mttr` is the mean scheduled duration of the stops that start in the bucket, each in full and open ones up to now: two stops of 30 and " +
    "90 minutes give 60. `mtbf` is available minutes (shift time without stops and no data; of the group when grouped by machine or " +
    "shift) per stop that is not programmed. Both are 0 without such a stop. Groups without a stop in the range have no series; " +
    "stops without a cause are in the group `none`. At most 2,000 points per series and 200,000 in total.",
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { isRead: true, costly: "report" }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: chart,
          example: {
            filter_by: { date_range: { from: "2026-11-01T00:00:00Z", to: "2026-12-01T00:00:00Z" } },
            metrics: ["stop_count", "stop_duration"],
            group_by: "machine",
          },
        },
      },
    },
  },
  responses: {
    200: {
      description: "One series per metric, or per metric and group",
      content: { "application/json": { schema: z.object({ series: z.array(series) }) } },
    },
    ...problemResponses(400, 401, 403, 404, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { filter_by: filter, metrics, interval, group_by: groupBy } = c.req.valid("json");
  const companyId = chartedCompany(c.var.actor, filter.company_id);
  const timezone = await companyZone(db(c), companyId);
  if (!timezone) throw noCompany(companyId);

  const { from, to } = filter.date_range;
  const buckets = chartBuckets(timezone, interval, { start: from, end: to }, maxPointsPerSeries);
  if (buckets.length > maxPointsPerSeries) throw tooMany("/filter_by/date_range", maxPointsPerSeries, "points a series");
  const { machine_ids: machineIds, shift_ids: shiftIds, is_programmed: isProgrammed } = filter;
  const query = { companyId, machineIds, shiftIds, isProgrammed, groupBy, buckets, now: Date.now(), limit: maxPoints + 1 };
  const { stopRows, availableRows } = await findSums(db(c), query, metrics.includes("mtbf"));

  const groupCount = new Set(stopRows.map(({ groupId }) => groupId)).size;
  if (groupCount * buckets.length * metrics.length > maxPoints) throw tooMany("/group_by", maxPoints, "points in all");
  const groups = groupsOf(buckets.length, groupBy !== undefined, stopRows, availableRows);
  return c.json({ series: seriesOf(metrics, buckets, groups) }, 200);
};

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
