import type { RouteHandler } from "@hono/zod-openapi";
import { callerOf } from "../../../http/session.ts";
import { changeContract } from "../contracts.ts";
import { changeItem } from "../items.ts";
import { refuseUrl } from "./rules.ts";
import { webhookSubscriptions } from "./webhook-subscriptions.ts";

export const contract = changeContract(webhookSubscriptions);

export const handler: RouteHandler<typeof contract> = async (c) => {
  const sent: { url?: string } = c.req.valid("json");
  refuseUrl(c.env, sent.url);
  const named = { ...c.req.valid("param"), ...c.req.valid("query") };
  return c.json(await changeItem(callerOf(c), webhookSubscriptions, named, sent), 200);
};
