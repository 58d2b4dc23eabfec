import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, instant } from "../../core/inputs.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { namedRef, shiftRef } from "../reports/report.ts";
import { classification } from "../reports/stop-item.ts";
import { explainShift } from "./explanation.ts";
import { explainedIndicators, explainedMetrics } from "./shift-numbers.ts";

const stopBehind = z.object({
  id: z.int().nullable().openapi({ description: "Null for a moment, until a new stop has its id" }),
  name: z.string(),
  classification: classification.nullable(),
});
const segment = z.object({
  startTime: z.iso.datetime(),
  endTime: z.iso.datetime(),
  durationInMinutes: z.number(),
  durationMs: z.int(),
  bucket: z.enum(["available", "noData", "programmed", "nonProgrammed", "other"]),
  stop: stopBehind.nullable().openapi({ description: "The stop of this time; null without one" }),
});
const skuCounts = z.object({
  skuId: z.string().nullable().openapi({ description: "Null: counted while no SKU was set" }),
  cycles: z.int(),
  total: z.number().openapi({ description: "Units, to 6 decimals" }),
  defects: z.number().openapi({ description: "Units, to 6 decimals" }),
  cyclesWithStandard: z.int().openapi({ description: "Cycles made while a standard was in force" }),
  standardCycleSeconds: z.number().nullable().openapi({ description: "The average over those cycles; null without any" }),
  idealMinutes: z.number().openapi({ description: "Those cycles times their standards, two decimals" }),
  idealMs: z.number(),
});
const explanation = z
  .object({
    machine: namedRef,
    shift: shiftRef,
    indicatorId: z.int().nullable().openapi({ description: "As in the report of metrics; null until the report has the shift" }),
    asOf: z.iso.datetime().openapi({ description: "The end of the shift or of the machine's service, or now" }),
    segments: z.array(segment).openapi({ description: "In order and without gaps: each moment is in exactly one" }),
    skus: z.array(skuCounts),
    shiftIndicators: explainedIndicators,
    productionMetrics: explainedMetrics,
  })
  .openapi("ShiftExplanation");

export const contract = createRoute({
  method: "get",
  path: "/v1/machines/{id}/shifts/{start}/explain",
  operationId: "explainShift",
  tags: ["machines"],
  summary: "Explain the numbers of a shift",
  description: `The ledger segment by segment, the counts, and each published number with its formula and what goes into it. \`round\`
rounds half up to that many decimals; a division by zero gives 0, and a quality of 0 / 0 is 1. idealMs, cyclesWithStandard,
cycles, total and defects are the sums over the SKUs; lostByDefectsMs is the sum of defects * idealMs / total over them;
recentUnits were counted in recentMs, the last 10 minutes of available time (less where there is less).`,
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { costly: "report" }),
  request: {
    params: z.object({
      id: idParameter,
      start: instant.openapi({
        description: "The shift's start: ISO 8601 with Z or an offset",
        example: "2026-03-02T05:00:00.000Z",
      }),
    }),
  },
  responses: {
    200: { description: "The explanation", content: { "application/json": { schema: explanation } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id, start } = c.req.valid("param");
  return c.json(await explainShift(callerOf(c), id, start), 200);
};
