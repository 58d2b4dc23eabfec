import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { rangeRule } from "../../core/inputs.ts";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { eventWithdrawal } from "./event-withdrawal.ts";
import { listEventWithdrawals } from "./event-withdrawals.ts";
import { query } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/event-withdrawals",
  operationId: "listEventWithdrawals",
  tags: ["event withdrawals"],
  summary: "List withdrawals of events",
  description: "The events that people withdrew, by `from`, the newest first.",
  ...allowPermission("reports:read"),
  request: { query: query.superRefine(rangeRule) },
  responses: {
    200: listAnswer(eventWithdrawal, "A page of withdrawals"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listEventWithdrawals(callerOf(c), sent));
