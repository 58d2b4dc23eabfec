import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { explainRecord } from "./explanation.ts";
import { aboutExplanation, explanation } from "./explanation-members.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/shift-records/{id}/explain",
  operationId: "explainRecord",
  tags: ["machines"],
  summary: "Explain the numbers of a shift record",
  description: `\`id\` is the record's \`indicatorId\`. ${aboutExplanation}`,
  ...allowPermission("reports:read", { costly: "report" }),
  request: {
    params: z.object({ id: idParameter }),
  },
  responses: {
    200: { description: "The explanation", content: { "application/json": { schema: explanation } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await explainRecord(callerOf(c), c.req.valid("param").id), 200);
