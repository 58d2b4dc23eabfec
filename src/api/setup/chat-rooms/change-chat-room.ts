import type { RouteHandler } from "@hono/zod-openapi";
import { callerOf } from "../../../http/session.ts";
import { changeContract } from "../contracts.ts";
import { changeItem } from "../items.ts";
import { chatRooms } from "./chat-rooms.ts";
import { storeChatRoom } from "./rules.ts";

export const contract = changeContract(chatRooms);

export const handler: RouteHandler<typeof contract> = async (c) => {
  const named = { ...c.req.valid("param"), ...c.req.valid("query") };
  return c.json(await changeItem(callerOf(c), chatRooms, named, c.req.valid("json"), { rule: storeChatRoom(c.env) }), 200);
};
