import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { getWebhookSecret } from "./secrets.ts";

export const contract = createRoute({
  method: "get",
  path: "/webhook-subscriptions/secret",
  operationId: "getWebhookSecret",
  tags: ["webhooks"],
  summary: "The secret that signs the company's webhook calls",
  description:
    "`whsec_` and base64 of 32 bytes, as Standard Webhooks defines it. Created on first use; it stays the same until it is replaced.",
  ...allowRoles(["admin", "superadmin", "superuser"], { isRead: false }),
  responses: {
    200: { description: "The secret", content: { "application/json": { schema: answerText.startsWith("whsec_") } } },
    ...problemResponses(400, 401, 403, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => c.json(await getWebhookSecret(callerOf(c)), 200);
