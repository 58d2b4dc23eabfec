import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { recalculatingMember } from "../../core/recalculating.ts";
import { lineRef } from "../../core/refs.ts";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { listRules, stopRecordQuery } from "./record-query.ts";
import { listStopRecords } from "./records.ts";
import { stopRecordItem } from "./stop-item.ts";

const stopRecord = stopRecordItem.extend({ line: lineRef, isRecalculating: recalculatingMember }).openapi("StopRecord");

export const contract = createRoute({
  method: "get",
  path: "/v1/stop-records",
  operationId: "listStopRecords",
  tags: ["reports"],
  summary: "List stops by shift, with their classification",
  description: `One item per stop and shift occurrence, clipped to the shift, so the items of a shift add up to its indicators; newest first. A stop that
crosses the edge of a shift has an item for each, with the same id. All pages of a list are as of the instant of its first page.`,
  ...allowPermission("reports:read", { costly: "report" }),
  request: { query: stopRecordQuery.superRefine(listRules) },
  responses: {
    200: listAnswer(stopRecord, "A page of stops"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (query) => listStopRecords(callerOf(c), query));
