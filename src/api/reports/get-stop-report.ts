import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { rangeRule } from "../../core/inputs.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { markRecalculating, recalculatingHeaders } from "../../http/recalculating.ts";
import { callerOf } from "../../http/session.ts";
import { readAsOf } from "./as-of.ts";
import { getStopReport } from "./paged-reports.ts";
import { paging, stopFilter } from "./report.ts";
import { stopItem } from "./stop-item.ts";

const stopReport = paging.extend({ stops: z.array(stopItem) }).openapi("StopReport");

export const contract = createRoute({
  method: "post",
  path: "/v1/public/reports/stops",
  operationId: "getStopReport",
  tags: ["reports"],
  summary: "Stops with their classification",
  description:
    "One item per stop and shift occurrence, clipped to the shift, so the items of a shift add up to its indicators. A stop that " +
    "crosses the edge of a shift has an item for each, with the same id. `{}` selects everything.",
  ...allowRoles(["superuser"], { isRead: true, costly: "report" }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: stopFilter.superRefine(rangeRule),
          example: { machineIds: [1], isProgrammed: false, minDurationInMinutes: 5, pageSize: 10 },
        },
      },
    },
  },
  responses: {
    200: {
      description: "A page of the report",
      headers: recalculatingHeaders,
      content: { "application/json": { schema: stopReport } },
    },
    ...problemResponses(400, 401, 403, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const [caller, filter] = [callerOf(c), c.req.valid("json")];
  if (filter.asOf !== undefined) readAsOf(caller, filter.asOf, "/asOf");
  const { report, isRecalculating } = await getStopReport(caller, filter);
  markRecalculating(c, isRecalculating);
  return c.json(report, 200);
};
