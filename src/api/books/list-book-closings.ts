import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { closing } from "./closing.ts";
import { listClosings } from "./closings.ts";
import { query } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/books/closings",
  operationId: "listBookClosings",
  tags: ["books"],
  summary: "List closings",
  description: "Every closing of the books, newest first, those that failed or were reopened too. They are kept for good.",
  ...allowPermission("reports:read"),
  request: { query },
  responses: {
    200: listAnswer(closing, "A page of closings"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) => answerList(c, contract, (sent) => listClosings(callerOf(c), sent));
