import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { companyOf } from "../../../core/actor.ts";
import { text } from "../../../core/inputs.ts";
import { allow } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { db } from "../../../http/session.ts";
import { findPersona } from "./personas.ts";
import { persona } from "./shapes.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/personas/{id}",
  operationId: "getPersona",
  tags: ["personas"],
  summary: "Get an alert persona",
  ...allow("superuser", "admin", "superadmin"),
  request: { params: z.object({ id: text(100).min(1) }) },
  responses: {
    200: { description: "The persona", content: { "application/json": { schema: persona } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await findPersona(db(c), c.req.valid("param").id, companyOf(c.var.actor)), 200);
};
