import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { replayed } from "./replayed.ts";
import { replayEvents } from "./subscription.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/webhook-subscriptions/{id}/deliveries/{eventId}/replay",
  operationId: "replayEvent",
  tags: ["webhooks"],
  summary: "Send an event to a webhook subscription again",
  description: "With the same id as before. Honours an Idempotency-Key.",
  ...allowPermission("webhooks:write", { isIdempotent: true }),
  request: { params: z.object({ id: text(100), eventId: text(200) }) },
  responses: {
    200: { description: "It will be sent", content: { "application/json": { schema: replayed } } },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id, eventId } = c.req.valid("param");
  return c.json(await replayEvents(callerOf(c), id, { eventId }), 200);
};
