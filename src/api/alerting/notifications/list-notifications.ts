import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { listNotifications } from "./notifications.ts";
import { query } from "./query.ts";

const notification = z
  .object({
    id: answerText,
    title: answerText,
    body: answerText,
    readAt: z.iso.datetime().nullable().openapi({ description: "Null: unread" }),
    createdAt: z.iso.datetime(),
  })
  .openapi("Notification");

export const contract = createRoute({
  method: "get",
  path: "/v1/notifications",
  operationId: "listNotifications",
  tags: ["notifications"],
  summary: "List your own notifications",
  description: "Newest first.",
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { isForPeople: true }),
  request: { query },
  responses: {
    200: listAnswer(notification, "A page of notifications"),
    ...problemResponses(400, 401, 403, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listNotifications(callerOf(c), sent));
