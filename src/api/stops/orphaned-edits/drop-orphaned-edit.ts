import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { dropOrphanedEdit } from "../edits.ts";

export const contract = createRoute({
  method: "delete",
  path: "/v1/orphaned-edits/{id}",
  operationId: "dropOrphanedEdit",
  tags: ["stops"],
  summary: "Drop what was said of a stop that is gone",
  description: "It is not listed any more, and never said of a stop again. Honours an Idempotency-Key.",
  ...allowPermission("stops:write", { isIdempotent: true }),
  request: { params: z.object({ id: idParameter }) },
  responses: { 204: { description: "Dropped" }, ...problemResponses(400, 401, 403, 404, 409, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  await dropOrphanedEdit(callerOf(c), c.req.valid("param").id);
  return c.body(null, 204);
};
