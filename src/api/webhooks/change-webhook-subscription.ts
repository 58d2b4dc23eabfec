import type { RouteHandler } from "@hono/zod-openapi";
import { callerOf } from "../../http/session.ts";
import { changeContract } from "../../resource/contracts.ts";
import { webhookSubscriptions } from "./resource.ts";
import { changeWebhookSubscription } from "./stored-subscription.ts";

export const contract = changeContract(webhookSubscriptions);

export const handler: RouteHandler<typeof contract> = async (c) => {
  const named = { ...c.req.valid("param"), ...c.req.valid("query"), ...c.req.valid("header") };
  return c.json(await changeWebhookSubscription(callerOf(c), named, c.req.valid("json")), 200);
};
