import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { correction } from "./correction.ts";
import { getCorrection } from "./corrections.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/corrections/{id}",
  operationId: "getCorrection",
  tags: ["corrections"],
  summary: "Get a correction",
  description: "One that was undone is shown, too: it has `undoneAt`.",
  ...allowPermission("reports:read"),
  request: { params: z.object({ id: idParameter }) },
  responses: {
    200: { description: "The correction", content: { "application/json": { schema: correction } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getCorrection(callerOf(c), c.req.valid("param").id), 200);
