import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { created, createdAnswer } from "../../http/created.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { action, newAction } from "./action.ts";
import { createAction } from "./actions.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/actions",
  operationId: "createAction",
  tags: ["actions"],
  summary: "Act on a loss",
  description: `Gives a loss an owner, a measure and a due date. Its minutes between \`from\` and \`to\` are stored with it, as they are now. Honours an
Idempotency-Key.`,
  ...allowPermission("actions:write", { isIdempotent: true, costly: "report" }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: newAction,
          example: {
            ...{ loss: "cause", generalCauseId: 3, machineId: 1, from: "2026-11-16T00:00:00Z", to: "2026-11-23T00:00:00Z" },
            ...{ measure: "New sensor in the feeder, with a shield", ownerId: 2, dueOn: "2026-12-15" },
          },
        },
      },
    },
  },
  responses: {
    201: createdAnswer(action, "The open action"),
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  created(c, await createAction(callerOf(c), c.req.valid("json")));
