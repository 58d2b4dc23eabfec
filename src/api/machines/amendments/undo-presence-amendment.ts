import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { amendmentPath } from "./amendment.ts";
import { undoAmendment } from "./amendments.ts";

export const contract = createRoute({
  method: "delete",
  path: "/v1/machines/{id}/presences/{amendmentId}",
  operationId: "undoPresenceAmendment",
  tags: ["machines"],
  summary: "Undo an amendment of who was there",
  description: "What it replaced holds again, as if the amendment had never been made. Honours an Idempotency-Key.",
  ...allowPermission("operators:sign-in", { isIdempotent: true }),
  request: { params: amendmentPath },
  responses: { 204: { description: "Undone" }, ...problemResponses(400, 401, 403, 404, 409, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id, amendmentId } = c.req.valid("param");
  await undoAmendment(callerOf(c), id, "presences", amendmentId);
  return c.body(null, 204);
};
