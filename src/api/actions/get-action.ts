import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { actionWithEffect } from "./action.ts";
import { getAction } from "./actions.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/actions/{id}",
  operationId: "getAction",
  tags: ["actions"],
  summary: "Get an action, and whether its loss became less",
  description: `With the minutes of the loss before, since, and week by week, each beside the planned time, so that a week with fewer shifts can be compared. They
are the sums of \`GET /v1/summary\`, as of now; only \`before\` is as it was when the action was created.`,
  ...allowPermission("reports:read", { costly: "report" }),
  request: { params: z.object({ id: idParameter }) },
  responses: {
    200: { description: "The action", content: { "application/json": { schema: actionWithEffect } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getAction(callerOf(c), c.req.valid("param").id), 200);
