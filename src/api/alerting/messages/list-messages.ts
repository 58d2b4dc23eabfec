import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { companyOf } from "../../../core/actor.ts";
import { readPage } from "../../../core/cursor.ts";
import { rangeRule } from "../../../core/inputs.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allow } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { db } from "../../../http/session.ts";
import { message, messageOf } from "./message.ts";
import { listMessages } from "./queries.ts";
import { query } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/messages",
  operationId: "listMessages",
  tags: ["messages"],
  summary: "List the messages to personas, chat rooms and addresses",
  description:
    "Newest first, of the last 30 days (`EVENTS_KEPT_DAYS`). Contacts are masked, and the text of the messages is not shown.",
  ...allow("superuser", "admin", "superadmin"),
  request: { query: query.superRefine(rangeRule) },
  responses: {
    200: listAnswer(message, "A page of messages"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => {
    const companyId = companyOf(c.var.actor, sent.companyId, c.var.actor.companyId);
    return readPage(db(c), sent, {
      select: (page) => listMessages(db(c), { ...page, companyId }),
      keysOf: ({ createdAt, id }) => [createdAt, id],
      itemOf: messageOf,
    });
  });
