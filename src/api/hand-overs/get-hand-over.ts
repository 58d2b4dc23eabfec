import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { handOverWithFigures } from "./hand-over.ts";
import { getHandOver } from "./hand-overs.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/hand-overs/{id}",
  operationId: "getHandOver",
  tags: ["hand-overs"],
  summary: "Get a hand-over",
  description: "With the figures of its shift as they were handed over. `GET /v1/shift-figures` has those of now.",
  ...allowPermission("reports:read"),
  request: { params: z.object({ id: idParameter }) },
  responses: {
    200: { description: "The hand-over", content: { "application/json": { schema: handOverWithFigures } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getHandOver(callerOf(c), c.req.valid("param").id), 200);
