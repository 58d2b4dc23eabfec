import type { RouteHandler } from "@hono/zod-openapi";
import { created } from "../../../http/created.ts";
import { callerOf } from "../../../http/session.ts";
import { createContract } from "../../../resource/contracts.ts";
import { chatRooms } from "./resource.ts";
import { createChatRoom } from "./stored-room.ts";

export const contract = createContract(chatRooms);

export const handler: RouteHandler<typeof contract> = async (c) =>
  created(c, await createChatRoom(callerOf(c), c.req.valid("json")));
