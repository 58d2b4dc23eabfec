import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { deleteStop } from "./edits.ts";
import { ifMatch } from "./if-match.ts";

export const contract = createRoute({
  method: "delete",
  path: "/v1/stops/{id}",
  operationId: "deleteStop",
  tags: ["stops"],
  summary: "Delete a recorded stop",
  description:
    "Its time is then what the signals say. A stop that comes from signals cannot be deleted (409). Honours an Idempotency-Key.",
  ...allowPermission("stops:write", { isIdempotent: true }),
  request: { params: z.object({ id: idParameter }), headers: ifMatch },
  responses: { 204: { description: "Deleted" }, ...problemResponses(400, 401, 403, 404, 409, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { "if-match": version = null } = c.req.valid("header");
  await deleteStop(callerOf(c), c.req.valid("param").id, version);
  return c.body(null, 204);
};
