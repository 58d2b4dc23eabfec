import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { companyOf } from "../../../core/actor.ts";
import { readPage } from "../../../core/cursor.ts";
import { rangeRule } from "../../../core/inputs.ts";
import { checkOfIds } from "../../../core/named-ids.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { db } from "../../../http/session.ts";
import { helpCall, helpCallOf } from "./help-call.ts";
import { listHelpCalls } from "./queries.ts";
import { query } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/help-calls",
  operationId: "listHelpCalls",
  tags: ["help calls"],
  summary: "List calls for help",
  description: "Newest first, open and answered ones. `isOpen=true` lists only those that nobody has answered.",
  ...allowPermission("reports:read"),
  request: {
    query: query.superRefine(rangeRule),
  },
  responses: {
    200: listAnswer(helpCall, "A page of calls"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => {
    const companyId = companyOf(c.var.actor, sent.companyId, c.var.actor.companyId);
    return readPage(db(c), sent, {
      select: (page) => listHelpCalls(db(c), { ...page, companyId }),
      keysOf: ({ createdAt, id }) => [createdAt, id],
      itemOf: helpCallOf,
      check: checkOfIds(db(c), companyId, { machineIds: sent.machineIds }),
    });
  });
