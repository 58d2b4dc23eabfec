import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { companyOf } from "../../core/actor.ts";
import { readPage } from "../../core/cursor.ts";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf, db } from "../../http/session.ts";
import { listSubscriptions } from "./queries.ts";
import { query } from "./query.ts";
import { reportSubscriptions } from "./resource.ts";

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
  answerList(c, contract, (sent) => {
    const companyId = companyOf(c.var.actor, sent.companyId, c.var.actor.companyId);
    return readPage(db(c), sent, {
      select: (page) => listSubscriptions(db(c), { ...page, companyId }),
      keysOf: ({ createdAt, id }) => [createdAt, id],
      itemOf: (row) => reportSubscriptions.shape.item(row, callerOf(c)),
    });
  });
