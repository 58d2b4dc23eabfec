import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { companyOf } from "../../core/actor.ts";
import { readPage } from "../../core/cursor.ts";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { listOrders, orderOf } from "./queries.ts";
import { query } from "./query.ts";
import { workOrder, workOrderOf } from "./work-order.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/work-orders",
  operationId: "listWorkOrders",
  tags: ["work orders"],
  summary: "List work orders with their progress",
  description: "Newest first.",
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { query },
  responses: {
    200: listAnswer(workOrder, "A page of orders"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => {
    const companyId = companyOf(c.var.actor, sent.companyId, c.var.actor.companyId);
    return readPage(db(c), sent, {
      select: (page) => listOrders(db(c), { ...page, companyId }),
      keysOf: ({ createdAt, id }) => [createdAt, id],
      itemOf: (row) => workOrderOf(orderOf(row)),
    });
  });
