import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { companyOf } from "../../core/actor.ts";
import { listOf, pageOf } from "../../core/cursor.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { listPersonas } from "./queries.ts";
import { query } from "./query.ts";
import { persona } from "./shapes.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/personas",
  operationId: "listPersonas",
  tags: ["personas"],
  summary: "List alert personas",
  description: "Sorted by name. Personas contain telephone numbers and e-mail addresses.",
  ...allow("superuser", "admin", "superadmin"),
  request: { query },
  responses: {
    200: { description: "A page of personas", content: { "application/json": { schema: listOf(persona) } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const sent = c.req.valid("query");
  const personas = await listPersonas(db(c), {
    ...sent,
    companyId: companyOf(c.var.actor, sent.companyId, c.var.actor.companyId),
  });
  const { page, cursor } = pageOf(personas, sent.limit, ({ name, id }) => [name, id]);
  return c.json({ data: page, cursor }, 200);
};
