import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { companyOf } from "../../core/actor.ts";
import { readPage } from "../../core/cursor.ts";
import { rangeRule } from "../../core/inputs.ts";
import { checkOfIds } from "../../core/named-ids.ts";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { listStops } from "./queries.ts";
import { query } from "./query.ts";
import { stop, stopOf } from "./stop.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/stops",
  operationId: "listStops",
  tags: ["stops"],
  summary: "List stops",
  description: `Newest first. There is one item per stop, however many shifts it touches. A stop that began outside shifts is sorted and
selected by the start of the first shift that it touches. Unknown parameters are refused.`,
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: {
    query: query.superRefine(rangeRule),
  },
  responses: {
    200: listAnswer(stop, "A page of stops"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => {
    const now = Date.now();
    const companyId = companyOf(c.var.actor, sent.companyId);
    const { machineIds, shiftIds, generalCauseIds, specificCauseIds, componentIds } = sent;
    const named = { machineIds, shiftIds, generalCauseIds, specificCauseIds, componentIds };
    return readPage(db(c), sent, {
      select: (page) => listStops(db(c), { ...page, companyId }, now),
      keysOf: (row) => [row.sliceStart, row.id],
      itemOf: (row) => stopOf(row, row.scheduledMs, now),
      check: checkOfIds(db(c), companyId, named),
    });
  });
