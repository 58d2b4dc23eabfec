import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { undoCorrection } from "./corrections.ts";

export const contract = createRoute({
  method: "delete",
  path: "/v1/corrections/{id}",
  operationId: "undoCorrection",
  tags: ["corrections"],
  summary: "Undo a correction",
  description:
    "All sums are as if it had never been entered. It stays known, with who undid it and when. Honours an Idempotency-Key.",
  ...allowPermission("corrections:write", { isIdempotent: true, machines: "record" }),
  request: { params: z.object({ id: idParameter }) },
  responses: {
    204: { description: "The correction counts no more" },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  await undoCorrection(callerOf(c), c.req.valid("param").id);
  return c.body(null, 204);
};
