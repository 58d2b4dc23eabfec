import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../../core/inputs.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { grant } from "./grant.ts";
import { getGrant } from "./grants.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/role-permissions/{id}",
  operationId: "getRolePermission",
  tags: ["roles"],
  summary: "Get one grant of a permission to a role",
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"]),
  request: { params: z.object({ id: text(100) }) },
  responses: {
    200: { description: "The grant", content: { "application/json": { schema: grant } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await getGrant(callerOf(c), c.req.valid("param").id), 200);
};
