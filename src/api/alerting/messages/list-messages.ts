import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { rangeRule } from "../../../core/inputs.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allow } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { message } from "./message.ts";
import { listMessages } from "./messages.ts";
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

export const handler: RouteHandler<typeof contract> = (c) => answerList(c, contract, (sent) => listMessages(callerOf(c), sent));
