import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../../core/inputs.ts";
import { allow } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { getPersona } from "./personas.ts";
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

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getPersona(callerOf(c), c.req.valid("param").id), 200);
