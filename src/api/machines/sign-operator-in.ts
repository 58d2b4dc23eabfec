import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { floorInstant, floorState, tellMachine } from "./floor.ts";

const body = z.object({ operatorId: z.int().min(1).openapi({ description: "Of the machine's company" }), at: floorInstant });

export const contract = createRoute({
  method: "post",
  path: "/v1/machines/{id}/sign-in",
  operationId: "signOperatorIn",
  tags: ["machines"],
  summary: "Sign an operator in at a machine",
  description:
    "Who is signed in already stays so, since the earlier time; several can be. The same as an ingested `operator` event. Honours an Idempotency-Key.",
  ...allowPermission("operators:sign-in", { isIdempotent: true }),
  request: {
    params: z.object({ id: idParameter }),
    body: { required: true, content: { "application/json": { schema: body, example: { operatorId: 1 } } } },
  },
  responses: {
    200: { description: "The machine's state after it", content: { "application/json": { schema: floorState } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id } = c.req.valid("param");
  const { operatorId, at } = c.req.valid("json");
  const audited = { action: "operator.sign-in", objectId: operatorId } as const;
  return c.json(await tellMachine(c, id, { type: "operator", operatorId, action: "in" }, at, audited), 200);
};
