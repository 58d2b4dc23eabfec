import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { recalculatingMember } from "../../core/recalculating.ts";
import { lineRef } from "../../core/refs.ts";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { readAsOf } from "./as-of.ts";
import { listRules, shiftRecordQuery } from "./record-query.ts";
import { listShiftRecords } from "./records.ts";
import { shiftItem } from "./shift-item.ts";

const shiftRecord = shiftItem
  .extend({
    line: lineRef,
    isRecalculating: recalculatingMember,
    corrected: z.object({ total: z.number(), defects: z.number() }).nullable().openapi({
      description: "What corrections added to the counted total and defects, which contain it; below 0: took away. Null: nothing",
    }),
    revisionCount: z.int().openapi({
      description:
        "How often it has changed since it was closed, until `asOf` if that is given: `/v1/shift-records/{id}/revisions` lists them",
    }),
  })
  .openapi("ShiftRecord");

export const contract = createRoute({
  method: "get",
  path: "/v1/shift-records",
  operationId: "listShiftRecords",
  tags: ["reports"],
  summary: "List the shifts of machines with their availability and production",
  description: `One item per machine and shift occurrence, including the running one as of now; newest first. All pages of a list are as of the
instant of its first page. \`shiftIndicators.indicatorId\` is the record's id. Shifts that ended before their SKUs and orders were kept are not found by
them.`,
  ...allowPermission("reports:read", { costly: "report", counts: "machines" }),
  request: { query: shiftRecordQuery.superRefine(listRules) },
  responses: {
    200: listAnswer(shiftRecord, "A page of shifts"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) => {
  const [caller, { asOf }] = [callerOf(c), c.req.valid("query")];
  if (asOf !== undefined) readAsOf(caller, asOf, "/query/asOf");
  return answerList(c, contract, (query) => listShiftRecords(caller, query));
};
