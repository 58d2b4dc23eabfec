import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { companyOf } from "../../core/actor.ts";
import { listOf, pageOf } from "../../core/cursor.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { listOrders } from "./queries.ts";
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
    200: { description: "A page of orders", content: { "application/json": { schema: listOf(workOrder) } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const sent = c.req.valid("query");
  const orders = await listOrders(db(c), { ...sent, companyId: companyOf(c.var.actor, sent.companyId, c.var.actor.companyId) });
  const { page, cursor } = pageOf(orders, sent.limit, ({ order }) => [order.createdAt, order.id]);
  return c.json({ data: page.map(workOrderOf), cursor }, 200);
};
