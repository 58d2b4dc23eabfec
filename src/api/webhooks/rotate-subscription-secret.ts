import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { rotated } from "./rotated.ts";
import { rotateOwnSecret } from "./subscription.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/webhook-subscriptions/{id}/rotate-secret",
  operationId: "rotateSubscriptionSecret",
  tags: ["webhooks"],
  summary: "Give a webhook subscription a new secret of its own",
  description: `For 24 h calls carry a second signature by the previous secret (the company's, if the subscription had none of its own). If the
secret is replaced again in that time, the oldest one ends at once. One that the service can no longer read (see \`encryptionKey\` of
\`GET /health\`) does not continue. Honours an Idempotency-Key.`,
  ...allowPermission("webhooks:write", { isIdempotent: true }),
  request: { params: z.object({ id: text(100) }) },
  responses: {
    200: { description: "The new secret", content: { "application/json": { schema: rotated } } },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await rotateOwnSecret(callerOf(c), c.req.valid("param").id), 200);
};
