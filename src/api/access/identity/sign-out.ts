import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { forgetAccount } from "../../../http/authenticate.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { signOut } from "./sessions.ts";

export const contract = createRoute({
  method: "delete",
  path: "/v1/tokens",
  operationId: "signOut",
  tags: ["identity"],
  summary: "Sign out everywhere",
  description: "Ends all tokens of the user, this one too, within 30 s. Honours an Idempotency-Key.",
  ...allowRoles(["superuser", "superadmin", "admin", "user", "readonly"], { isIdempotent: true, isForPeople: true }),
  responses: { 204: { description: "Signed out" }, ...problemResponses(400, 401, 403, 409, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  await signOut(callerOf(c));
  forgetAccount(c.var.actor.userId);
  return c.body(null, 204);
};
