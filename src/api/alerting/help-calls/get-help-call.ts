import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { helpCall } from "./help-call.ts";
import { getHelpCall } from "./help-calls.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/help-calls/{id}",
  operationId: "getHelpCall",
  tags: ["help calls"],
  summary: "Get a call for help",
  ...allowPermission("reports:read"),
  request: { params: z.object({ id: idParameter }) },
  responses: {
    200: { description: "The call", content: { "application/json": { schema: helpCall } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getHelpCall(callerOf(c), c.req.valid("param").id), 200);
