import type { RouteHandler } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { created } from "../../http/created.ts";
import { callerOf } from "../../http/session.ts";
import { createContract } from "../../resource/contracts.ts";
import { createItem } from "../../resource/items.ts";
import { webhookSubscriptions } from "./resource.ts";
import { newSecret, refuseUrl } from "./rules.ts";

const secret = answerText.nullable().openapi({
  description: `The secret that signs its calls. Shown only in this answer: null if the request is repeated with its Idempotency-Key, and when the
company's signs them`,
  example: "whsec_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIGFsb25lLCBrZXk=",
});

export const contract = createContract(
  webhookSubscriptions,
  webhookSubscriptions.members.item.extend({ secret }).openapi("NewWebhookSubscription"),
);

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { hasOwnSecret, ...sent } = c.req.valid("json") as { hasOwnSecret: boolean; url: string };
  refuseUrl(c.env, sent.url);
  const { shown, stored } = await newSecret(c.env, hasOwnSecret);
  const options = { shownOnce: { secret: shown } };
  return created(c, await createItem(callerOf(c), webhookSubscriptions, { ...sent, ...stored }, options));
};
