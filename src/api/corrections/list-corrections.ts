import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { rangeRule } from "../../core/inputs.ts";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { correction } from "./correction.ts";
import { listCorrections } from "./corrections.ts";
import { query } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/corrections",
  operationId: "listCorrections",
  tags: ["corrections"],
  summary: "List corrections",
  description: "What people added to the counts of machines, or took away, by `at`, the newest first.",
  ...allowPermission("reports:read"),
  request: { query: query.superRefine(rangeRule) },
  responses: {
    200: listAnswer(correction, "A page of corrections"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listCorrections(callerOf(c), sent));
