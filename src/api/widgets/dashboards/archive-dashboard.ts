import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { nameInPath } from "../../../core/inputs.ts";
import { allow } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { dashboard } from "../shapes.ts";
import { archiveDashboard } from "./dashboards.ts";

export const contract = createRoute({
  method: "patch",
  path: "/widgets/dashboards/{id}/archive",
  operationId: "archiveDashboard",
  tags: ["widgets"],
  summary: "Archive a dashboard",
  description: "A dashboard that is already archived keeps its `archivedAt`. Only superusers can archive a system dashboard.",
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { params: z.object({ id: nameInPath }) },
  responses: {
    200: { description: "The archived dashboard", content: { "application/json": { schema: dashboard } } },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await archiveDashboard(callerOf(c), c.req.valid("param").id), 200);
};
