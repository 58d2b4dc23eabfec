import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { rangeRule } from "../../../core/inputs.ts";
import { answerList, archivedListAnswer } from "../../../http/lists.ts";
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
  description: `The events that webhooks receive, in the order in which they became known. For one machine that is the order in which they
happened, except for changes by late signals. Events of machines appear within seconds. To follow the events, send the id of the last one as
\`after\`: an unknown id is a 400, and one that may be in the archive a 410, which says how to continue.

Events older than 30 days (\`EVENTS_KEPT_DAYS\`) are in the archive, with the names of the time when they were moved there. With \`sort=-seq\` the list
continues there with the same \`cursor\`. With \`sort=seq\` it begins with the oldest event that is not in the archive, or with \`from\` in the archive,
and a \`cursor\` continues from there. A request reads up to seven days or 8 MB of the archive, which takes longer, so such an answer has \`archived\`, and its
page may be short or empty and still have a \`cursor\`. \`total\`, CSV and NDJSON leave the archive out. A day of it that is missing or damaged is a 410,
which names it and has the \`cursor\` of what follows.`,
  ...allowPermission("reports:read"),
  request: { query: query.superRefine(rangeRule) },
  responses: {
    200: archivedListAnswer(event, "A page of events"),
    ...problemResponses(400, 401, 403, 404, 410, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent, isFile) => listEvents(callerOf(c), sent, isFile));
