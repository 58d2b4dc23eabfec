import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { auditBy } from "../../http/audit.ts";
import { keepAnswer } from "../../http/idempotency.ts";
import { text } from "../../http/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { conflict, notFound, problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { quantity, skuId } from "./order-members.ts";
import { updateTargetQuantity } from "./queries.ts";
import { openStatuses } from "./transitions.ts";

export const contract = createRoute({
  method: "patch",
  path: "/work-order-target/{workOrderId}/{skuId}",
  operationId: "updateTarget",
  tags: ["work orders"],
  summary: "Change how much of a SKU a work order is to make",
  description: "Not of an order that is Completed or Cancelled: 409. Honours an Idempotency-Key.",
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
  const { targetQuantity } = c.req.valid("json");
  const { role, companyId } = c.var.actor;
  const scope = { workOrderId, companyId: role === "superuser" ? undefined : companyId };
  const target = { skuId, quantity: targetQuantity };
  const keep: Parameters<typeof updateTargetQuantity>[4] = (condition) => keepAnswer(c, 204, null, condition);
  const status = await updateTargetQuantity(db(c), scope, target, openStatuses, keep, auditBy(c), Date.now());
  if (!status) throw notFound(`There is no work order ${workOrderId} with a target of SKU ${skuId}.`);
  if (!openStatuses.includes(status)) throw conflict(`The work order is ${status}: its targets stay.`);
  return c.body(null, 204);
};
