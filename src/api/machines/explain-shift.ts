import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, instant } from "../../core/inputs.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { explainShift } from "./explanation.ts";
import { aboutExplanation, explanation } from "./explanation-members.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/machines/{id}/shifts/{start}/explain",
  operationId: "explainShift",
  tags: ["machines"],
  summary: "Explain the numbers of a shift",
  description: aboutExplanation,
  ...allowRoles(["user", "superuser", "admin", "superadmin", "readonly"], { costly: "report" }),
  request: {
    params: z.object({
      id: idParameter,
      start: instant.openapi({
        description: "The shift's start: ISO 8601 with Z or an offset",
        example: "2026-03-02T05:00:00.000Z",
      }),
    }),
  },
  responses: {
    200: { description: "The explanation", content: { "application/json": { schema: explanation } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id, start } = c.req.valid("param");
  return c.json(await explainShift(callerOf(c), id, start), 200);
};
