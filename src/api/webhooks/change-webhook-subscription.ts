import type { RouteHandler } from "@hono/zod-openapi";
import { callerOf } from "../../http/session.ts";
import { changeContract } from "../../resource/contracts.ts";
import { changeItem } from "../../resource/items.ts";
import { webhookSubscriptions } from "./resource.ts";
import { refuseUrl } from "./rules.ts";

export const contract = changeContract(webhookSubscriptions);

export const handler: RouteHandler<typeof contract> = async (c) => {
  const sent: { url?: string } = c.req.valid("json");
  refuseUrl(c.env, sent.url);
  const named = { ...c.req.valid("param"), ...c.req.valid("query") };
  return c.json(await changeItem(callerOf(c), webhookSubscriptions, named, sent), 200);
};
