import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { action } from "./action.ts";
import { listActions } from "./actions.ts";
import { query } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/actions",
  operationId: "listActions",
  tags: ["actions"],
  summary: "List actions",
  description: "What people do about losses, the newest first. What became of the loss is in `GET /v1/actions/{id}`.",
  ...allowPermission("reports:read"),
  request: { query },
  responses: {
    200: listAnswer(action, "A page of actions"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) => answerList(c, contract, (sent) => listActions(callerOf(c), sent));
