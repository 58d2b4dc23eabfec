import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { readPage } from "../../../core/cursor.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { db } from "../../../http/session.ts";
import { isoOf } from "../../../oee/time.ts";
import { listNotifications } from "./queries.ts";
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
  answerList(c, contract, (sent) =>
    readPage(db(c), sent, {
      select: (page) => listNotifications(db(c), c.var.actor.userId, page),
      keysOf: ({ createdAt, id }) => [createdAt, id],
      itemOf: ({ id, title, body, readAt, createdAt }) => {
        return { id, title, body, readAt: isoOf(readAt), createdAt: isoOf(createdAt) };
      },
    }),
  );
