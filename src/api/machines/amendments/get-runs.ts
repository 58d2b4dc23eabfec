import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { allow } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { pastQuery, pastRuns } from "./amendment.ts";
import { getRuns } from "./amendments.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/machines/{id}/runs",
  operationId: "getRuns",
  tags: ["machines"],
  summary: "Get what was made in the past",
  description:
    "What the machine made in the interval and for which orders, as it counts now, and what people said of it afterwards.",
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { params: z.object({ id: idParameter }), query: pastQuery },
  responses: {
    200: { description: "What was made", content: { "application/json": { schema: pastRuns } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getRuns(callerOf(c), c.req.valid("param").id, c.req.valid("query")), 200);
