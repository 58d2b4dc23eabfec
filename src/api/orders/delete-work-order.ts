import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { deleteOrder } from "./orders.ts";

export const contract = createRoute({
  method: "delete",
  path: "/v1/work-orders/{id}",
  operationId: "deleteWorkOrder",
  tags: ["work orders"],
  summary: "Delete a work order that nothing was made for",
  description: `Orders for which units were counted or reported, or which a machine has in work, cannot be deleted (409): set them to Cancelled
instead. The code of a deleted order can be used again. Honours an Idempotency-Key.`,
  ...allowPermission("work-orders:write", { isIdempotent: true }),
  request: { params: z.object({ id: text(100).min(1) }) },
  responses: { 204: { description: "Deleted" }, ...problemResponses(400, 401, 403, 404, 409, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  await deleteOrder(callerOf(c), c.req.valid("param").id);
  return c.body(null, 204);
};
