import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { seal, unseal } from "../../core/cipher.ts";
import { auditBy } from "../../http/old-audit.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { keepSecret } from "./queries.ts";

const secretBytes = 32;

export const contract = createRoute({
  method: "get",
  path: "/webhook-subscriptions/secret",
  operationId: "getWebhookSecret",
  tags: ["webhooks"],
  summary: "The secret that signs the company's webhook calls",
  description: "`whsec_` and base64 of 32 bytes, as Standard Webhooks has it. Made on first use, the same ever after.",
  ...allow("admin", "superadmin", "superuser"),
  responses: {
    200: { description: "The secret", content: { "application/json": { schema: z.string().startsWith("whsec_") } } },
    ...problemResponses(400, 401, 403, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  const fresh = await seal(c.env, `whsec_${Buffer.from(bytes).toString("base64")}`);
  const kept = await keepSecret(db(c), c.var.actor.companyId, fresh, auditBy(c), Date.now());
  return c.json(await unseal(c.env, kept), 200);
};
