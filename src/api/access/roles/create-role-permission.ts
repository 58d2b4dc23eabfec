import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { forgetGrants } from "../../../core/permissions.ts";
import { permissions, roles } from "../../../db/values.ts";
import { created, createdAnswer } from "../../../http/created.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { grant } from "./grant.ts";
import { addGrant } from "./grants.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/role-permissions",
  operationId: "createRolePermission",
  tags: ["roles"],
  summary: "Grant a permission to a role",
  description: `Grants are the same for all companies. Takes effect everywhere within 30 s. Superusers need no grants, and get none. Honours an
Idempotency-Key.`,
  ...allowRoles(["superuser"], { isIdempotent: true, isForPeople: true }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: z.object({ roleId: z.enum(roles).exclude(["superuser"]), permissionId: z.enum(permissions) }),
          example: { roleId: "user", permissionId: "alerts:write" },
        },
      },
    },
  },
  responses: { 201: createdAnswer(grant, "The grant"), ...problemResponses(400, 401, 403, 409, 413, 415, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const made = await addGrant(callerOf(c), c.req.valid("json"));
  forgetGrants();
  return created(c, made);
};
