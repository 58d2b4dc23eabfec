import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { instant } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { code, distinctBy, machineId, name, priority, quantity, skuId, source } from "./order-members.ts";
import { createOrder } from "./orders.ts";

const order = z.object({
  estimatedDeliveryTime: instant.nullish(),
  priority: priority.default(0),
  source: source.default(""),
  status: z.enum(["Backlog", "Planned", "InProgress"]).default("Backlog"),
  name,
  code,
});
const body = z.object({
  machines: distinctBy("machineId", z.object({ machineId })),
  targets: distinctBy("skuId", z.object({ targetQuantity: quantity, skuId })),
  workOrder: order,
});

export const contract = createRoute({
  method: "post",
  path: "/work-orders/production-full",
  operationId: "createWorkOrder",
  tags: ["work orders"],
  summary: "Create a work order with its machines and targets",
  description: `At least one machine and one target. The order belongs to the company of its machines, which all have to be of one company: any
for superusers, their own for others. A code that another order of the company has is a 409. Honours an Idempotency-Key.`,
  ...allowPermission("work-orders:write", { isIdempotent: true }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: body,
          example: {
            machines: [{ machineId: 1 }],
            targets: [{ targetQuantity: 5000, skuId: "CAP-28" }],
            workOrder: {
              estimatedDeliveryTime: "2030-01-31T12:00:00Z",
              priority: 1,
              source: "ERP",
              status: "Backlog",
              name: "Spring batch",
              code: "WO-1001",
            },
          },
        },
      },
    },
  },
  responses: {
    200: { description: "Created", content: { "application/json": { schema: z.object({}) } } },
    ...problemResponses(400, 401, 403, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { machines, targets, workOrder } = c.req.valid("json");
  const { estimatedDeliveryTime: estimatedDeliveryAt = null, ...members } = workOrder;
  const created = await createOrder(callerOf(c), {
    ...members,
    estimatedDeliveryAt,
    machineIds: machines.map(({ machineId }) => machineId),
    targets: targets.map(({ skuId, targetQuantity }) => ({ skuId, quantity: targetQuantity })),
  });
  return c.json(created, 200);
};
