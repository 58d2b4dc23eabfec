import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { productionMetrics, shiftIndicators } from "../../oee/metrics.ts";
import { extendSums } from "../../oee/shift-ledger.ts";
import { indicatorsOfShift, metricsOfShift } from "./metric-schemas.ts";
import { findShiftRecords, type ReportedShift } from "./queries.ts";
import { namedRef, paging, pagingOf, rangeRule, reportFilter, shiftRef, shiftRefOf } from "./report.ts";

const metricItem = z.object({
  company: namedRef,
  machine: namedRef.extend({ nodeId: z.int().openapi({ description: "The machine's gateway" }) }),
  shift: shiftRef,
  shiftIndicators: indicatorsOfShift,
  productionMetrics: metricsOfShift,
});
const metricReport = paging.extend({ metrics: z.array(metricItem) }).openapi("MetricReport");

export const contract = createRoute({
  method: "post",
  path: "/v1/public/reports/metrics",
  operationId: "getMetricReport",
  tags: ["reports"],
  summary: "Availability and production per machine and shift",
  description: "One item per machine and shift occurrence, including the running one as of now. `{}` selects everything.",
  ...allowRoles(["superuser"], { isRead: true, costly: "report" }),
  request: {
    body: {
      required: true,
      content: { "application/json": { schema: reportFilter.refine(...rangeRule), example: { machineIds: [1], pageSize: 3 } } },
    },
  },
  responses: {
    200: { description: "A page of the report", content: { "application/json": { schema: metricReport } } },
    ...problemResponses(400, 401, 403, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const filter = c.req.valid("json");
  const { totalCount, records } = await findShiftRecords(db(c), filter);
  const now = Date.now();
  return c.json({ ...pagingOf(totalCount, filter), metrics: records.map((record) => metricItemOf(record, now)) }, 200);
};

function metricItemOf(record: ReportedShift, now: number): z.infer<typeof metricItem> {
  const sums = extendSums(record, Math.min(now, record.endAt));
  return {
    company: { name: record.companyName, id: record.companyId },
    machine: { nodeId: record.nodeId, name: record.machineName, id: record.machineId },
    shift: shiftRefOf(record, { start: record.startAt, end: record.endAt }, now),
    shiftIndicators: { ...shiftIndicators(sums, record.endAt <= now), indicatorId: record.id },
    productionMetrics: productionMetrics(sums, record),
  };
}
