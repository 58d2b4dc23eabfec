import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { companyOf } from "../../../core/actor.ts";
import { readPage } from "../../../core/cursor.ts";
import { rangeRule } from "../../../core/inputs.ts";
import { checkOfIds } from "../../../core/named-ids.ts";
import { invalid } from "../../../core/problem.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { db } from "../../../http/session.ts";
import { event, eventOf } from "./event.ts";
import { listEvents, selectPlace } from "./queries.ts";
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

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, async (sent) => {
    const companyId = companyOf(c.var.actor, sent.companyId, c.var.actor.companyId);
    const { machineIds, lineIds, cursor, sort, after } = sent;
    if (cursor && cursor[0] !== sort) {
      throw invalid([{ pointer: "/query/cursor", code: "not_allowed", message: `belongs to a list sorted by ${cursor[0]}` }]);
    }
    const [place] = after === undefined ? [] : await selectPlace(db(c), companyId, after);
    if (after !== undefined && !place) {
      throw invalid([
        {
          pointer: "/query/after",
          code: "not_found",
          message: "is not the id of an event of this company, or the event is no longer kept",
        },
      ]);
    }
    return readPage(db(c), sent, {
      select: (page) => listEvents(db(c), { ...page, companyId }, place?.seq),
      keysOf: ({ seq }) => [sort, seq],
      itemOf: (row) => eventOf(c.env, row),
      check: checkOfIds(db(c), companyId, { machineIds, lineIds }),
    });
  });
