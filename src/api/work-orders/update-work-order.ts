import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { auditBy } from "../../http/audit.ts";
import { keepAnswer } from "../../http/idempotency.ts";
import { distinct, idText, instant, text } from "../../http/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { conflict, invalid, notFound, problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { code, codeTaken, distinctBy, name, priority, quantity, skuId, unknownIds } from "./order-members.ts";
import { updateOrder, workOrderStatuses } from "./queries.ts";
import { type OrderChange, outcomesOf, refusalOf } from "./transitions.ts";

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
  description: `The machines and SKUs that are given replace the order's, whatever its status; what is left out stays. A SKU that stays
keeps its progress. One of which units were counted or reported, or that a machine has in work, cannot go: 409. Statuses go Backlog to Planned and back,
Planned to InProgress, InProgress to Paused and back, both to Completed, all these to Cancelled; admins take Completed back to
InProgress. Other ways, and a code that the company has, are a 409. Honours an Idempotency-Key.`,
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
  const { id: workOrderId, status, estimatedDeliveryTime: estimatedDeliveryAt, name, code, priority } = workOrder;
  const { role, companyId } = c.var.actor;
  const scope = { workOrderId, companyId: role === "superuser" ? undefined : companyId };
  const targets = skus?.map((sku) => ({ skuId: sku.id, quantity: sku.quantity }));
  const change: OrderChange = { hasProgress: false, status, role };
  const update = { name, code, priority, estimatedDeliveryAt, machineIds, targets };
  const keep: Parameters<typeof updateOrder>[4] = (condition) => keepAnswer(c, 204, null, condition);
  const done = await updateOrder(db(c), scope, update, outcomesOf(change), keep, auditBy(c), Date.now());
  if (done.isCodeTaken) throw conflict(`${codeTaken.pointer}: ${codeTaken.message}`, [codeTaken]);
  if (!done.status) throw notFound(`There is no work order ${workOrderId}.`);
  if (done.isUpdated) return c.body(null, 204);

  const skuIds = skus?.map((sku) => sku.id) ?? [];
  const faults = [
    ...unknownIds(machineIds ?? [], done.machineIds, "machine", (i) => `/machines/${i}`),
    ...unknownIds(skuIds, done.skuIds, "SKU", (i) => `/skus/${i}/id`),
  ];
  if (faults.length > 0) throw invalid(faults);
  const [madeSkuId] = done.madeSkuIds;
  if (madeSkuId === undefined) throw conflict(refusalOf(done.status, change));
  const message = `leaves out ${madeSkuId}, of which units were counted or reported, or which a machine has in work`;
  throw conflict(`/skus: ${message}`, [{ pointer: "/skus", code: "made", message }]);
};
