import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { dashboard } from "../shapes.ts";
import { unarchiveDashboard } from "./unarchive.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/dashboards/{id}/unarchive",
  operationId: "unarchiveDashboard",
  tags: ["dashboards"],
  summary: "Take a dashboard out of the archive",
  description:
    "A dashboard that is not archived stays as it is. Only superusers can unarchive a system dashboard. Honours an Idempotency-Key.",
  ...allowPermission("set-up:write", { isIdempotent: true }),
  request: { params: z.object({ id: text(100) }) },
  responses: {
    200: { description: "The dashboard", content: { "application/json": { schema: dashboard } } },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await unarchiveDashboard(callerOf(c), c.req.valid("param").id), 200);
};
