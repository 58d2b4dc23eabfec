import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { action, changedAction } from "./action.ts";
import { changeAction } from "./actions.ts";

export const contract = createRoute({
  method: "patch",
  path: "/v1/actions/{id}",
  operationId: "changeAction",
  tags: ["actions"],
  summary: "Change an action",
  description: `Members that are left out stay as they are. \`state\` ends the action as done or dropped, or opens it again; \`endedAt\` says since when it has ended.
Its loss cannot be changed. Honours an Idempotency-Key.`,
  ...allowPermission("actions:write", { isIdempotent: true }),
  request: {
    params: z.object({ id: idParameter }),
    body: {
      required: true,
      content: {
        "application/json": { schema: changedAction, example: { state: "done", comment: "Sensor is in, jams are rare" } },
      },
    },
  },
  responses: {
    200: { description: "The action", content: { "application/json": { schema: action } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await changeAction(callerOf(c), c.req.valid("param").id, c.req.valid("json")), 200);
