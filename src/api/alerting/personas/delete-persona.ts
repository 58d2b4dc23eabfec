import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { deletePersona } from "./personas.ts";

export const contract = createRoute({
  method: "delete",
  path: "/v1/personas/{id}",
  operationId: "deletePersona",
  tags: ["personas"],
  summary: "Delete an alert persona",
  description: `Its contacts are deleted with it, and messages that wait for it fail. Refused while an alert rule or a report subscription uses
it (409).
Honours an Idempotency-Key.`,
  ...allowPermission("personas:write", { isIdempotent: true }),
  request: { params: z.object({ id: text(100).min(1) }) },
  responses: { 204: { description: "Deleted" }, ...problemResponses(400, 401, 403, 404, 409, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  await deletePersona(callerOf(c), c.req.valid("param").id);
  return c.body(null, 204);
};
