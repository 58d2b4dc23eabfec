import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../core/inputs.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { getOrder, machinesOfOrders } from "./orders.ts";
import { workOrder } from "./work-order.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/work-orders/{id}",
  operationId: "getWorkOrder",
  tags: ["work orders"],
  summary: "Get a work order with its progress",
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { counts: "order", machines: machinesOfOrders }),
  request: { params: z.object({ id: text(100) }) },
  responses: {
    200: { description: "The order", content: { "application/json": { schema: workOrder } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getOrder(callerOf(c), c.req.valid("param").id), 200);
