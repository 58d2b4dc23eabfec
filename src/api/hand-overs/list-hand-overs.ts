import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { rangeRule } from "../../core/inputs.ts";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { handOver } from "./hand-over.ts";
import { listHandOvers } from "./hand-overs.ts";
import { query } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/hand-overs",
  operationId: "listHandOvers",
  tags: ["hand-overs"],
  summary: "List hand-overs",
  description: "Of the newest shift first, without their figures. They are kept as long as the shifts.",
  ...allowPermission("reports:read"),
  request: { query: query.superRefine(rangeRule) },
  responses: {
    200: listAnswer(handOver, "A page of hand-overs"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) => answerList(c, contract, (sent) => listHandOvers(callerOf(c), sent));
