import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { rangeRule } from "../../../core/inputs.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { event } from "./event.ts";
import { listEvents } from "./events.ts";
import { query } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/events",
  operationId: "listEvents",
  tags: ["events"],
  summary: "List events",
  description: `The events that webhooks receive, of the last 30 days (\`EVENTS_KEPT_DAYS\`), in the order in which they became known. For one
machine that is the order in which they happened, except for changes by late signals. Events of machines appear within seconds. To follow the
events, send the id of the last one as \`after\`; an id that is unknown or no longer kept is refused.`,
  ...allowPermission("reports:read"),
  request: { query: query.superRefine(rangeRule) },
  responses: {
    200: listAnswer(event, "A page of events"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) => answerList(c, contract, (sent) => listEvents(callerOf(c), sent));
