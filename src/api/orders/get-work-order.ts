import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { companyOf } from "../../core/actor.ts";
import { text } from "../../core/inputs.ts";
import { notFound } from "../../core/problem.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { findOrder } from "./queries.ts";
import { workOrder, workOrderOf } from "./work-order.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/work-orders/{id}",
  operationId: "getWorkOrder",
  tags: ["work orders"],
  summary: "Get a work order with its progress",
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { counts: "order" }),
  request: { params: z.object({ id: text(100) }) },
  responses: {
    200: { description: "The order", content: { "application/json": { schema: workOrder } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id } = c.req.valid("param");
  const now = Date.now();
  const order = await findOrder(db(c), id, companyOf(c.var.actor), now);
  if (!order) throw notFound(`There is no work order ${id}.`);
  return c.json(workOrderOf(order, now), 200);
};
