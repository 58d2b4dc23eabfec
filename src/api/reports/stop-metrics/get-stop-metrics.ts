import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { chart } from "./chart.ts";
import { series } from "./series.ts";
import { getStopMetrics } from "./stop-metrics.ts";

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

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json({ series: await getStopMetrics(callerOf(c), c.req.valid("json")) }, 200);
