import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { answerList, listAnswer } from "../../../http/lists.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { heldEvent } from "./held-event.ts";
import { listHeldEvents } from "./held-events.ts";
import { eventsQuery } from "./query.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/held-events/{id}/events",
  operationId: "listEventsOfHeld",
  tags: ["held events"],
  summary: "List the events of an entry",
  description: "The events that are still held, in the order of their arrival.",
  ...allowPermission("reports:read"),
  request: { params: z.object({ id: idParameter }), query: eventsQuery },
  responses: {
    200: listAnswer(heldEvent, "A page of events"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listHeldEvents(callerOf(c), c.req.valid("param").id, sent));
