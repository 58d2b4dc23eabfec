import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { companyOf } from "../../../core/actor.ts";
import { idParameter } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { db } from "../../../http/session.ts";
import { helpCall, helpCallOf } from "./help-call.ts";
import { noHelpCall } from "./help-calls.ts";
import { selectHelpCall } from "./queries.ts";

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

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id } = c.req.valid("param");
  const call = await selectHelpCall(db(c), id, companyOf(c.var.actor)).get();
  if (!call) throw noHelpCall(id);
  return c.json(helpCallOf(call), 200);
};
