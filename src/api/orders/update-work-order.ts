import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { distinct, idText, instant, text } from "../../core/inputs.ts";
import { workOrderStatuses } from "../../db/values.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { code, distinctBy, name, priority, quantity, skuId } from "./order-members.ts";
import { changeOrder } from "./orders.ts";

const order = z.object({
  id: text(100).min(1),
  name: name.optional(),
  code: code.optional(),
  status: z.enum(workOrderStatuses).optional(),
  priority: priority.optional(),
  estimatedDeliveryTime: instant.nullish().openapi({
    type: ["string", "null"],
    format: "date-time",
    description: "ISO 8601 with Z or an offset; null removes it",
  }),
});
const body = z.object({
  machines: distinct(idText)
    .refine((ids) => ids.length > 0, "must name at least one machine")
    .optional(),
  skus: distinctBy("id", z.object({ id: skuId, quantity })).optional(),
  workOrder: order,
});

export const contract = createRoute({
  method: "put",
  path: "/work-order-target",
  operationId: "updateWorkOrder",
  tags: ["work orders"],
  summary: "Update a work order, its machines and its targets",
  description: `Given machines and SKUs replace those of the order, whatever its status; members that are left out stay as they are. A SKU that stays
keeps its progress. A SKU cannot be removed (409) if units of it were counted or reported, or if a machine has it in work. Statuses change from
Backlog to Planned and back, Planned to InProgress, InProgress to Paused and back, both to Completed, and all of these to Cancelled; admins
may change Completed back to InProgress. Other changes, and a code that another order of the company has, are a 409.

A Completed or Cancelled order takes no more production: what its machines make from that time on counts for the SKU, and for no order; earlier
counts that arrive late still count for it. If it is set back to InProgress, machines that were given no other run continue with it from then on.
Honours an Idempotency-Key.`,
  ...allowPermission("work-orders:write", { isIdempotent: true }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: body,
          example: {
            machines: ["1", "2"],
            skus: [{ id: "CAP-28", quantity: 6000 }],
            workOrder: {
              id: "0b6f6c1e-5a5c-4f0e-9a52-7d1f7f0f4a11",
              name: "Spring batch",
              code: "WO-1001",
              status: "Planned",
              priority: 2,
              estimatedDeliveryTime: "2030-02-14T12:00:00Z",
            },
          },
        },
      },
    },
  },
  responses: { 204: { description: "Updated" }, ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { machines: machineIds, skus, workOrder } = c.req.valid("json");
  const { id, estimatedDeliveryTime: estimatedDeliveryAt, ...members } = workOrder;
  const targets = skus?.map((sku) => ({ skuId: sku.id, quantity: sku.quantity }));
  await changeOrder(callerOf(c), id, { ...members, estimatedDeliveryAt, machineIds, targets });
  return c.body(null, 204);
};
