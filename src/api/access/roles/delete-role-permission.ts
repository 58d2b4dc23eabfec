import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../../core/inputs.ts";
import { forgetGrants } from "../../../core/permissions.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { removeGrant } from "./grants.ts";

export const contract = createRoute({
  method: "delete",
  path: "/v1/role-permissions/{id}",
  operationId: "deleteRolePermission",
  tags: ["roles"],
  summary: "Take a permission from a role",
  description: `Takes effect everywhere within 30 s. Superusers have every permission without a grant. Admins and superadmins keep \`set-up:read\` and
\`set-up:write\` (409), because nobody in a company could give its set-up back. Honours an Idempotency-Key.`,
  ...allowRoles(["superuser"], { isIdempotent: true, isForPeople: true }),
  request: { params: z.object({ id: text(100) }) },
  responses: { 204: { description: "Taken" }, ...problemResponses(400, 401, 403, 404, 409, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  await removeGrant(callerOf(c), c.req.valid("param").id);
  forgetGrants();
  return c.body(null, 204);
};
