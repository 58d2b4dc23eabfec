import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { instant, text } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { replayed } from "./replayed.ts";
import { replayEvents } from "./subscription.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/webhook-subscriptions/{id}/replay",
  operationId: "replayEvents",
  tags: ["webhooks"],
  summary: "Send the events since a time to a webhook subscription again",
  description: `Sends the events that the subscription wants, in order and with the same ids as before: those that were delivered, those that
failed, and those that happened while it was not active or had ended. Up to 10,000 events, as far back as events are kept. Honours an
Idempotency-Key.`,
  ...allowPermission("webhooks:write", { isIdempotent: true }),
  request: {
    params: z.object({ id: text(100) }),
    body: { required: true, content: { "application/json": { schema: z.object({ since: instant }) } } },
  },
  responses: {
    200: { description: "They will be sent", content: { "application/json": { schema: replayed } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { since } = c.req.valid("json");
  return c.json(await replayEvents(callerOf(c), c.req.valid("param").id, { since }), 200);
};
