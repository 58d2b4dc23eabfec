import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { companyOf } from "../../core/actor.ts";
import { readPage } from "../../core/cursor.ts";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { isoOf } from "../../oee/time.ts";
import { listSubscriptions } from "./queries.ts";
import { query } from "./query.ts";

const subscription = z
  .object({ id: z.string(), companyId: z.int(), name: z.string(), createdAt: z.iso.datetime(), updatedAt: z.iso.datetime() })
  .openapi("ReportSubscription");

export const contract = createRoute({
  method: "get",
  path: "/v1/report-subscriptions",
  operationId: "listReportSubscriptions",
  tags: ["subscriptions"],
  summary: "List report subscriptions",
  description: "Newest first.",
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { query },
  responses: {
    200: listAnswer(subscription, "A page of subscriptions"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => {
    const companyId = companyOf(c.var.actor, sent.companyId, c.var.actor.companyId);
    return readPage(db(c), sent, {
      select: (page) => listSubscriptions(db(c), { ...page, companyId }),
      keysOf: ({ createdAt, id }) => [createdAt, id],
      itemOf: ({ id, companyId, name, createdAt, updatedAt }) => {
        return { id, companyId, name, createdAt: isoOf(createdAt), updatedAt: isoOf(updatedAt) };
      },
    });
  });
