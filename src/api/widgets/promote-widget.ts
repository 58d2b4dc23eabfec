import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../core/inputs.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { widget } from "./shapes.ts";
import { promoteWidget } from "./widgets.ts";

const body = z.object({
  sourceCompanyId: z
    .int()
    .min(1)
    .openapi({ description: "The company that owns the widget; superadmins can only name their own" }),
  widgetId: text(100),
});

export const contract = createRoute({
  method: "post",
  path: "/widgets/system/promote",
  operationId: "promoteWidget",
  tags: ["widgets"],
  summary: "Copy a company's widget into the system set",
  description: `Every company sees the copy. A second promotion of the same widget refreshes its copy. A widget that is not that
company's, and so a system widget too, is a 404. Honours an Idempotency-Key.`,
  ...allowRoles(["superadmin", "superuser"], { isIdempotent: true }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": { schema: body, example: { sourceCompanyId: 1, widgetId: "0b6f6c1e-5a5c-4f0e-9a52-7d1f7f0f4a11" } },
      },
    },
  },
  responses: {
    200: { description: "The system widget", content: { "application/json": { schema: widget } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { sourceCompanyId, widgetId } = c.req.valid("json");
  return c.json(await promoteWidget(callerOf(c), sourceCompanyId, widgetId), 200);
};
