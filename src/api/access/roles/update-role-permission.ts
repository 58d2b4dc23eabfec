import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../../core/inputs.ts";
import { forgetGrants } from "../../../core/permissions.ts";
import { permissions, roles } from "../../../db/values.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { changeGrant } from "./grants.ts";

export const contract = createRoute({
  method: "put",
  path: "/role-permissions/{id}",
  operationId: "updateRolePermission",
  tags: ["roles"],
  summary: "Re-assign one grant of a permission to a role",
  description: `Sets the role and the permission of the grant. Takes effect everywhere within 30 s. Superusers need no grants. Honours an
Idempotency-Key.`,
  ...allowRoles(["superuser"], { isIdempotent: true }),
  request: {
    params: z.object({ id: text(100) }),
    body: {
      required: true,
      content: {
        "application/json": {
          schema: z.object({ permissionId: z.enum(permissions), roleId: z.enum(roles) }),
          example: { permissionId: "work-orders:write", roleId: "user" },
        },
      },
    },
  },
  responses: { 204: { description: "Re-assigned" }, ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  await changeGrant(callerOf(c), c.req.valid("param").id, c.req.valid("json"));
  forgetGrants();
  return c.body(null, 204);
};
