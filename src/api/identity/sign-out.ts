import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { forgetAccount } from "../../http/authenticate.ts";
import { keepAnswer } from "../../http/idempotency.ts";
import { auditBy } from "../../http/old-audit.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { endTokens } from "./queries.ts";

export const contract = createRoute({
  method: "delete",
  path: "/v1/tokens",
  operationId: "signOut",
  tags: ["identity"],
  summary: "Sign out everywhere",
  description: "Ends all tokens of the user, this one too, within 30 s. Honours an Idempotency-Key.",
  ...allowRoles(["superuser", "superadmin", "admin", "user", "readonly"], { isIdempotent: true }),
  responses: { 204: { description: "Signed out" }, ...problemResponses(400, 401, 403, 409, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { userId, companyId } = c.var.actor;
  const entry = { action: "user.change", companyId, objectId: userId, before: {}, after: { tokens: "ended" } } as const;
  await db(c).batch([endTokens(db(c), userId, Date.now()), auditBy(c)(entry), ...keepAnswer(c, 204, null)]);
  forgetAccount(userId);
  return c.body(null, 204);
};
