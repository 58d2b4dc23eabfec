import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { companyOf } from "../../../core/actor.ts";
import { readPage } from "../../../core/cursor.ts";
import { rangeRule } from "../../../core/inputs.ts";
import { checkOfIds } from "../../../core/named-ids.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { db } from "../../../http/session.ts";
import { heldEntry, heldEntryOf } from "./held-event.ts";
import { listEntries } from "./queries.ts";
import { query } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/held-events",
  operationId: "listHeldEvents",
  tags: ["held events"],
  summary: "List what is held",
  description: `Counts that a machine cannot have made are held when they arrive: they are stored, and count nothing until an admin accepts them. See
\`holdFactor\` of machines. One entry per machine, UTC day and reason, the newest day first. An entry disappears once nothing of it is held any
more: all was accepted or dropped, or is 30 days old.`,
  ...allowPermission("reports:read"),
  request: { query: query.superRefine(rangeRule) },
  responses: {
    200: listAnswer(heldEntry, "A page of entries"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => {
    const companyId = companyOf(c.var.actor, sent.companyId, c.var.actor.companyId);
    return readPage(db(c), sent, {
      select: (page) => listEntries(db(c), { ...page, companyId }),
      keysOf: ({ day, id }) => [day, id],
      itemOf: heldEntryOf,
      check: checkOfIds(db(c), companyId, { machineIds: sent.machineIds }),
    });
  });
