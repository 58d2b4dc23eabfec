import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, text } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { startRun } from "./floor.ts";
import { floorAnswer, floorInstant } from "./floor-members.ts";

const body = z.object({
  skuId: text(100).min(1).openapi({ description: "What the machine makes from that time on" }),
  workOrderId: text(100).min(1).nullable().default(null).openapi({
    description:
      "The work order that it is made for. The machine must be one of the order's machines, and the SKU one of its targets. Null: no work order",
  }),
  at: floorInstant,
});

export const contract = createRoute({
  method: "post",
  path: "/v1/machines/{id}/run",
  operationId: "startRun",
  tags: ["machines"],
  summary: "Set what a machine makes, and for which work order",
  description:
    "It stays in effect until the next run. The same as an ingested `sku` event. An order that is Completed or Cancelled accepts no run: 409. Honours an Idempotency-Key.",
  ...allowPermission("runs:write", { isIdempotent: true, machines: "path" }),
  request: {
    params: z.object({ id: idParameter }),
    body: { required: true, content: { "application/json": { schema: body, example: { skuId: "CAP-28" } } } },
  },
  responses: { 200: floorAnswer, ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await startRun(callerOf(c), c.req.valid("param").id, c.req.valid("json")), 200);
};
