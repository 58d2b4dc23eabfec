import type { RouteHandler } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { created } from "../../http/created.ts";
import { callerOf } from "../../http/session.ts";
import { createContract } from "../../resource/contracts.ts";
import { webhookSubscriptions } from "./resource.ts";
import { createWebhookSubscription, type NewSubscription } from "./stored-subscription.ts";

const secret = answerText.nullable().openapi({
  description: `The secret that signs its calls. Shown only in this answer: null if the request is repeated with its Idempotency-Key, and when the
company's signs them`,
  example: "whsec_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIGFsb25lLCBrZXk=",
});

export const contract = createContract(
  webhookSubscriptions,
  webhookSubscriptions.members.item.extend({ secret }).openapi("NewWebhookSubscription"),
);

export const handler: RouteHandler<typeof contract> = async (c) =>
  created(c, await createWebhookSubscription(callerOf(c), c.req.valid("json") as NewSubscription));
