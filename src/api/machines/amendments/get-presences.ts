import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { allow } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { pastPresences, pastQuery } from "./amendment.ts";
import { getPresences } from "./amendments.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/machines/{id}/presences",
  operationId: "getPresences",
  tags: ["machines"],
  summary: "Get who was at a machine in the past",
  description: "Who was there in the interval, as it counts now, and what people said of it afterwards.",
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { params: z.object({ id: idParameter }), query: pastQuery },
  responses: {
    200: { description: "Who was there", content: { "application/json": { schema: pastPresences } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getPresences(callerOf(c), c.req.valid("param").id, c.req.valid("query")), 200);
