import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { allowRoles } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { rotated } from "./rotated.ts";
import { rotateWebhookSecret } from "./secrets.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/webhook-secret/rotate",
  operationId: "rotateWebhookSecret",
  tags: ["webhooks"],
  summary: "Replace the secret that signs the company's webhook calls",
  description: `This secret is for subscriptions without one of their own. For 24 h calls carry a second signature by the previous secret. If
the secret is replaced again in that time, the oldest one ends at once. One that the service can no longer read (see \`encryptionKey\` of
\`GET /health\`) does not continue. Honours an Idempotency-Key.`,
  ...allowRoles(["admin", "superadmin", "superuser"], { isIdempotent: true }),
  responses: {
    200: { description: "The new secret", content: { "application/json": { schema: rotated } } },
    ...problemResponses(400, 401, 403, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => c.json(await rotateWebhookSecret(callerOf(c)), 200);
