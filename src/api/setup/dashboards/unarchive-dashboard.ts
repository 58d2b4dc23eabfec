import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../../core/inputs.ts";
import { problemResponses } from "../../../http/problem.ts";
import { dashboard } from "../../widgets/shapes.ts";
import { setUpAccess } from "../access.ts";
import { changeItem } from "../change-item.ts";
import { dashboards } from "./dashboards.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/dashboards/{id}/unarchive",
  operationId: "unarchiveDashboard",
  tags: ["dashboards"],
  summary: "Take a dashboard out of the archive",
  description:
    "A dashboard that is not archived stays as it is. Superusers alone unarchive a system dashboard. Honours an Idempotency-Key.",
  ...setUpAccess.change,
  request: { params: z.object({ id: text(100) }) },
  responses: {
    200: { description: "The dashboard", content: { "application/json": { schema: dashboard } } },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id } = c.req.valid("param");
  return c.json(dashboard.parse(await changeItem(c, dashboards, id, undefined, { archivedAt: null }, "unarchive")), 200);
};
