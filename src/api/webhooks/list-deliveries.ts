import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { paged } from "../../core/cursor.ts";
import { text } from "../../core/inputs.ts";
import { deliveryStatuses, eventTypes } from "../../db/values.ts";
import { answerList, listAnswer } from "../../http/lists.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { listDeliveries } from "./deliveries.ts";
import { callMembers } from "./subscription.ts";

const status = z.enum(deliveryStatuses);

const delivery = z
  .object({
    eventId: answerText,
    eventType: z.enum(eventTypes),
    machineId: z.int().nullable(),
    status: status.openapi({
      description: "`failed`: no call succeeded, and no more are made; `cancelled`: the subscription ended or was deleted before",
    }),
    attempts: z.int().openapi({ description: "Calls since it was last queued" }),
    nextAttemptAt: z.iso.datetime().nullable().openapi({
      description: "When the next call is due, at the earliest: earlier events of the machine come first. Null: there is none",
    }),
    calls: z.array(z.object({ at: z.iso.datetime(), ...callMembers })).openapi({
      description:
        "The calls that failed, the oldest first, and then the one that succeeded since the last replay, whose `answer` is not kept: it is empty",
    }),
    createdAt: z.iso.datetime().openapi({ description: "When the event was stored" }),
    updatedAt: z.iso.datetime(),
  })
  .openapi("WebhookDelivery");

export const contract = createRoute({
  method: "get",
  path: "/v1/webhook-subscriptions/{id}/deliveries",
  operationId: "listDeliveries",
  tags: ["webhooks"],
  summary: "List the deliveries of a webhook subscription",
  description:
    "The newest events first, with the calls that were made: when, how long they took, and, of those that failed, the first 1,024 bytes of the answer. A delivery is listed as long as its event is kept.",
  ...allowPermission("webhooks:read"),
  request: {
    params: z.object({ id: text(100) }),
    query: paged(z.tuple([z.int()])).extend({ status: status.optional().openapi({ description: "Only these" }) }),
  },
  responses: {
    200: listAnswer(delivery, "A page of deliveries"),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = (c) =>
  answerList(c, contract, (sent) => listDeliveries(callerOf(c), c.req.valid("param").id, sent));
