import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { companyOf } from "../../core/actor.ts";
import { listOf, pageOf } from "../../core/cursor.ts";
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
    200: { description: "A page of tag keys", content: { "application/json": { schema: listOf(tagKey) } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const sent = c.req.valid("query");
  const tags = await listTags(db(c), { ...sent, companyId: companyOf(c.var.actor, sent.companyId, c.var.actor.companyId) });
  const { page, cursor } = pageOf(tags, sent.limit, (tag) => [tag.subject, tag.tagKey]);
  return c.json({ data: page, cursor }, 200);
};
