import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { query } from "./query.ts";
import { recalculation } from "./recalculation.ts";
import { listRecalculations } from "./recalculations.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/recalculations",
  operationId: "listRecalculations",
  tags: ["recalculations"],
  summary: "List recalculations",
  description: `Those that somebody asked for, newest first, until 90 days after their end, and dry runs of changes that take long, until a week after. Those that the service began by itself are not listed:
\`isRecalculating\` of machines shows them.`,
  ...allowPermission("reports:read"),
  request: { query },
  responses: {
    200: listAnswer(recalculation, "A page of recalculations"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listRecalculations(callerOf(c), sent));
