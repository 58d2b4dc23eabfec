import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { rangeRule } from "../../core/inputs.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { markRecalculating, recalculatingHeaders } from "../../http/recalculating.ts";
import { callerOf } from "../../http/session.ts";
import { readAsOf } from "./as-of.ts";
import { getMetricReport } from "./paged-reports.ts";
import { paging, reportFilter } from "./report.ts";
import { shiftItem } from "./shift-item.ts";

const metricReport = paging.extend({ metrics: z.array(shiftItem) }).openapi("MetricReport");

export const contract = createRoute({
  method: "post",
  path: "/v1/public/reports/metrics",
  operationId: "getMetricReport",
  tags: ["reports"],
  summary: "Availability and production per machine and shift",
  description: "One item per machine and shift occurrence, including the running one as of now. `{}` selects everything.",
  ...allowRoles(["superuser"], { isRead: true, costly: "report", counts: "filter" }),
  request: {
    body: {
      required: true,
      content: { "application/json": { schema: reportFilter.superRefine(rangeRule), example: { machineIds: [1], pageSize: 3 } } },
    },
  },
  responses: {
    200: {
      description: "A page of the report",
      headers: recalculatingHeaders,
      content: { "application/json": { schema: metricReport } },
    },
    ...problemResponses(400, 401, 403, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const [caller, filter] = [callerOf(c), c.req.valid("json")];
  if (filter.asOf !== undefined) readAsOf(caller, filter.asOf, "/asOf");
  const { report, isRecalculating } = await getMetricReport(caller, filter);
  markRecalculating(c, isRecalculating);
  return c.json(report, 200);
};
