import type { RouteHandler } from "@hono/zod-openapi";
import { created } from "../../../http/created.ts";
import { callerOf } from "../../../http/session.ts";
import { createContract } from "../../../resource/contracts.ts";
import { createItem } from "../../../resource/items.ts";
import { chatRooms } from "./resource.ts";
import { storeChatRoom } from "./rules.ts";

export const contract = createContract(chatRooms);

export const handler: RouteHandler<typeof contract> = async (c) =>
  created(c, await createItem(callerOf(c), chatRooms, c.req.valid("json"), { rule: storeChatRoom(c.env) }));
