import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { quantity, skuId } from "./order-members.ts";
import { setTarget } from "./orders.ts";

export const contract = createRoute({
  method: "patch",
  path: "/work-order-target/{workOrderId}/{skuId}",
  operationId: "updateTarget",
  tags: ["work orders"],
  summary: "Change how much of a SKU a work order is to make",
  description: "A Completed or Cancelled order is refused (409). Honours an Idempotency-Key.",
  ...allowPermission("targets:write", { isIdempotent: true }),
  request: {
    params: z.object({ workOrderId: text(100).min(1), skuId }),
    body: {
      required: true,
      content: { "application/json": { schema: z.object({ targetQuantity: quantity }), example: { targetQuantity: 7500 } } },
    },
  },
  responses: { 204: { description: "Changed" }, ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { workOrderId, skuId } = c.req.valid("param");
  await setTarget(callerOf(c), workOrderId, { skuId, quantity: c.req.valid("json").targetQuantity });
  return c.body(null, 204);
};
