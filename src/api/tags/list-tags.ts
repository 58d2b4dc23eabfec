import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { query } from "./query.ts";
import { tagKey } from "./shapes.ts";
import { listTags } from "./tags.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/tags",
  operationId: "listTags",
  tags: ["tags"],
  summary: "List tag keys",
  description: "Sorted by subject and key.",
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { query },
  responses: {
    200: listAnswer(tagKey, "A page of tag keys"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) => answerList(c, contract, (sent) => listTags(callerOf(c), sent));
