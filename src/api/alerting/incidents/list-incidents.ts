import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { companyOf } from "../../../core/actor.ts";
import { readPage } from "../../../core/cursor.ts";
import { rangeRule } from "../../../core/inputs.ts";
import { checkOfIds } from "../../../core/named-ids.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { db } from "../../../http/session.ts";
import { incident, incidentOf } from "./incident.ts";
import { listIncidents } from "./queries.ts";
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

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => {
    const companyId = companyOf(c.var.actor, sent.companyId, c.var.actor.companyId);
    return readPage(db(c), sent, {
      select: (page) => listIncidents(db(c), { ...page, companyId }),
      keysOf: ({ openedAt, id }) => [openedAt, id],
      itemOf: incidentOf,
      check: checkOfIds(db(c), companyId, { machineIds: sent.machineIds, lineIds: sent.lineIds }),
    });
  });
