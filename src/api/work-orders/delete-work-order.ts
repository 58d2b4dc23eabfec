import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { auditBy } from "../../http/audit.ts";
import { keepAnswer } from "../../http/idempotency.ts";
import { text } from "../../http/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { conflict, notFound, problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { deleteOrder } from "./queries.ts";

export const contract = createRoute({
  method: "delete",
  path: "/v1/work-orders/{id}",
  operationId: "deleteWorkOrder",
  tags: ["work orders"],
  summary: "Delete a work order that nothing was made for",
  description: `An order for which the line counted or someone reported units, or which a machine has in work, is a 409: set it to
Cancelled instead. The code of a deleted order may be used again. Honours an Idempotency-Key.`,
  ...allowPermission("work-orders:write", { isIdempotent: true }),
  request: { params: z.object({ id: text(100).min(1) }) },
  responses: { 204: { description: "Deleted" }, ...problemResponses(400, 401, 403, 404, 409, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id: workOrderId } = c.req.valid("param");
  const { role, companyId } = c.var.actor;
  const scope = { workOrderId, companyId: role === "superuser" ? undefined : companyId };
  const keep: Parameters<typeof deleteOrder>[2] = (condition) => keepAnswer(c, 204, null, condition);
  const { before, isDeleted } = await deleteOrder(db(c), scope, keep, auditBy(c), Date.now());
  if (isDeleted) return c.body(null, 204);
  if (!before) throw notFound(`There is no work order ${workOrderId}.`);
  if (before.isInWork) throw conflict("A machine has the work order in work: give it another one first.");
  throw conflict("Units were made for the work order: it can be set to Cancelled, not be deleted.");
};
