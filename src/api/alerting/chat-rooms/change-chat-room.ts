import type { RouteHandler } from "@hono/zod-openapi";
import { callerOf } from "../../../http/session.ts";
import { changeContract } from "../../../resource/contracts.ts";
import { changeItem } from "../../../resource/items.ts";
import { chatRooms } from "./resource.ts";
import { storeChatRoom } from "./rules.ts";

export const contract = changeContract(chatRooms);

export const handler: RouteHandler<typeof contract> = async (c) => {
  const named = { ...c.req.valid("param"), ...c.req.valid("query") };
  return c.json(await changeItem(callerOf(c), chatRooms, named, c.req.valid("json"), { rule: storeChatRoom(c.env) }), 200);
};
