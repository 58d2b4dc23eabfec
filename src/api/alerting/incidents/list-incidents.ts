import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { rangeRule } from "../../../core/inputs.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { incident } from "./incident.ts";
import { listIncidents } from "./incidents.ts";
import { query } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/incidents",
  operationId: "listIncidents",
  tags: ["incidents"],
  summary: "List incidents",
  description: "What alert rules found, open and resolved. `isOpen=true` lists what is not resolved. They are kept for 30 days.",
  ...allowPermission("reports:read"),
  request: {
    query: query.superRefine(rangeRule),
  },
  responses: {
    200: listAnswer(incident, "A page of incidents"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) => answerList(c, contract, (sent) => listIncidents(callerOf(c), sent));
