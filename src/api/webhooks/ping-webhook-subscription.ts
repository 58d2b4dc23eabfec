import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { callMembers, pingSubscription } from "./subscription.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/webhook-subscriptions/{id}/ping",
  operationId: "pingWebhookSubscription",
  tags: ["webhooks"],
  summary: "Call a webhook subscription's receiver now",
  description: `Sends an event of type \`ping\`, signed like all others, which is not stored and not repeated. It is sent even if the
subscription is not active or has ended. At most 30 an hour.`,
  ...allowPermission("webhooks:write"),
  request: { params: z.object({ id: text(100) }) },
  responses: {
    200: {
      description: "The result",
      content: { "application/json": { schema: z.object(callMembers).openapi("WebhookPing") } },
    },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await pingSubscription(callerOf(c), c.req.valid("param").id), 200);
};
