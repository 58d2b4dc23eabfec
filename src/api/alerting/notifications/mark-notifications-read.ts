import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { distinct, text } from "../../../core/inputs.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { markNotificationsRead } from "./notifications.ts";

export const contract = createRoute({
  method: "patch",
  path: "/notifications/markRead",
  operationId: "markNotificationsRead",
  tags: ["notifications"],
  summary: "Mark your own notifications as read",
  description: "Notifications that were read before keep their `readAt`. Ids of other users' notifications are ignored.",
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { isForPeople: true }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: z.object({ notificationIds: distinct(text(100)) }),
          example: { notificationIds: ["0b6f6c1e-5a5c-4f0e-9a52-7d1f7f0f4a11"] },
        },
      },
    },
  },
  responses: { 204: { description: "Marked" }, ...problemResponses(400, 401, 403, 413, 415, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  await markNotificationsRead(callerOf(c), c.req.valid("json").notificationIds);
  return c.body(null, 204);
};
