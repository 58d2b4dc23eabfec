import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { query } from "./query.ts";
import { reportSubscriptions } from "./resource.ts";
import { listSubscriptions } from "./subscriptions.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/report-subscriptions",
  operationId: "listReportSubscriptions",
  tags: ["report subscriptions"],
  summary: "List report subscriptions",
  description: `${reportSubscriptions.description} Newest first.`,
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { query },
  responses: {
    200: listAnswer(reportSubscriptions.members.item, "A page of subscriptions"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listSubscriptions(callerOf(c), sent));
