import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, text } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { floorInstant, floorState, tellMachine } from "./floor.ts";

const body = z.object({
  skuId: text(100).min(1).openapi({ description: "What the machine makes from then on" }),
  workOrderId: text(100).min(1).nullable().default(null).openapi({
    description: "The work order that it is made for: one that has the machine and a target of the SKU. Null: none",
  }),
  at: floorInstant,
});

export const contract = createRoute({
  method: "post",
  path: "/v1/machines/{id}/run",
  operationId: "startRun",
  tags: ["machines"],
  summary: "Say what a machine makes, and for which work order",
  description: "Holds until the next run. The same as an ingested `sku` event. Honours an Idempotency-Key.",
  ...allowPermission("runs:write", { isIdempotent: true }),
  request: {
    params: z.object({ id: idParameter }),
    body: { required: true, content: { "application/json": { schema: body, example: { skuId: "CAP-28" } } } },
  },
  responses: {
    200: { description: "The machine's state after it", content: { "application/json": { schema: floorState } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id } = c.req.valid("param");
  const { skuId, workOrderId, at } = c.req.valid("json");
  const audited = { action: "machine.run", objectId: id } as const;
  return c.json(await tellMachine(c, id, { type: "sku", skuId, workOrderId }, at, audited), 200);
};
