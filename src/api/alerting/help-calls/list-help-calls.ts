import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { rangeRule } from "../../../core/inputs.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { helpCall } from "./help-call.ts";
import { listHelpCalls } from "./help-calls.ts";
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

export const handler: RouteHandler<typeof contract> = (c) => answerList(c, contract, (sent) => listHelpCalls(callerOf(c), sent));
