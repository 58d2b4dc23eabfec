import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { isGranted } from "../../core/permissions.ts";
import { forbidden, notFound } from "../../core/problem.ts";
import { auditBy } from "../../http/old-audit.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { deleteUserConfig } from "./queries.ts";

const id = z.int().min(1);

export const contract = createRoute({
  method: "delete",
  path: "/config",
  operationId: "deleteConfig",
  tags: ["configs"],
  summary: "Delete a user's config",
  description: `The own one needs \`configs:write\`, another user's of the company \`configs:manage\` too; superusers delete
anyone's. A config that is not there is deleted all the same.`,
  ...allowPermission("configs:write"),
  request: {
    body: {
      required: true,
      content: { "application/json": { schema: z.object({ userId: id, companyId: id }), example: { userId: 4, companyId: 1 } } },
    },
  },
  responses: { 204: { description: "Deleted" }, ...problemResponses(400, 401, 403, 404, 413, 415, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { userId, companyId } = c.req.valid("json");
  const { actor } = c.var;
  const noUser = notFound(`There is no user ${userId} in company ${companyId}.`);
  if (actor.role !== "superuser" && companyId !== actor.companyId) throw noUser;
  if (userId !== actor.userId && !(await isGranted(db(c), actor.role, "configs:manage"))) {
    throw forbidden(`A ${actor.role} may delete the own config alone.`);
  }
  if (!(await deleteUserConfig(db(c), userId, companyId, auditBy(c)))) throw noUser;
  return c.body(null, 204);
};
