import type { RouteHandler } from "@hono/zod-openapi";
import { callerOf } from "../../../http/session.ts";
import { changeContract } from "../../../resource/contracts.ts";
import { chatRooms } from "./resource.ts";
import { changeChatRoom } from "./stored-room.ts";

export const contract = changeContract(chatRooms);

export const handler: RouteHandler<typeof contract> = async (c) => {
  const named = { ...c.req.valid("param"), ...c.req.valid("query"), ...c.req.valid("header") };
  return c.json(await changeChatRoom(callerOf(c), named, c.req.valid("json")), 200);
};
