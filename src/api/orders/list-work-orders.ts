import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { listOrders } from "./orders.ts";
import { query } from "./query.ts";
import { workOrder } from "./work-order.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/work-orders",
  operationId: "listWorkOrders",
  tags: ["work orders"],
  summary: "List work orders with their progress",
  description:
    "With what was made, what remains, when the rest will be finished at the recent rate, and whether that is late. Newest first by default.",
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { counts: "company", machines: "query" }),
  request: { query },
  responses: {
    200: listAnswer(workOrder, "A page of orders"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) => answerList(c, contract, (sent) => listOrders(callerOf(c), sent));
