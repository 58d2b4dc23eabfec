import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { rangeRule } from "../../../core/inputs.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { heldEntry } from "./held-event.ts";
import { listHeldEntries } from "./held-events.ts";
import { query } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/held-events",
  operationId: "listHeldEvents",
  tags: ["held events"],
  summary: "List what is held",
  description: `Counts that a machine cannot have made are held when they arrive: they are stored, and count nothing until an admin accepts them. See
\`holdFactor\` of machines. Events of a time whose books are closed are held, too: they can be accepted when the books have been reopened. One entry per machine, UTC day and reason, the newest day first. An entry disappears once nothing of it is held any
more: all was accepted or dropped, or is 30 days old. What is held because of closed books stays.`,
  ...allowPermission("reports:read"),
  request: { query: query.superRefine(rangeRule) },
  responses: {
    200: listAnswer(heldEntry, "A page of entries"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listHeldEntries(callerOf(c), sent));
