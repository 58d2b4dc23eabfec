import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { forbidden, notFound } from "../../core/problem.ts";
import { auditBy } from "../../http/old-audit.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { archiveDashboard } from "./queries.ts";
import { dashboard } from "./shapes.ts";

export const contract = createRoute({
  method: "patch",
  path: "/widgets/dashboards/{id}/archive",
  operationId: "archiveDashboard",
  tags: ["widgets"],
  summary: "Archive a dashboard",
  description:
    "Once: a dashboard that is archived already keeps its first `archivedAt`. Superusers alone archive a system dashboard.",
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { params: z.object({ id: z.string() }) },
  responses: {
    200: { description: "The archived dashboard", content: { "application/json": { schema: dashboard } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id } = c.req.valid("param");
  const { role, companyId, userId } = c.var.actor;
  const viewer = { userId, origin: new URL(c.req.url).origin };
  const ownCompanyId = role === "superuser" ? undefined : companyId;
  const archived = await archiveDashboard(db(c), id, ownCompanyId, viewer, auditBy(c), Date.now());
  if (!archived) throw notFound("There is no such dashboard.");
  if (archived.isSystem && role !== "superuser") throw forbidden("Superusers alone archive a system dashboard.");
  return c.json(archived, 200);
};
