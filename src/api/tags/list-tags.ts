import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { companyOf } from "../../core/actor.ts";
import { readPage } from "../../core/cursor.ts";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { listTags } from "./queries.ts";
import { query } from "./query.ts";
import { tagKey } from "./shapes.ts";

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

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => {
    const companyId = companyOf(c.var.actor, sent.companyId, c.var.actor.companyId);
    return readPage(db(c), sent, {
      select: (page) => listTags(db(c), { ...page, companyId }),
      keysOf: ({ subject, tagKey }) => [subject, tagKey],
      itemOf: (tag) => tag,
    });
  });
