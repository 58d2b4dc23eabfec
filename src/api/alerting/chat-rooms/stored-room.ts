import type { Caller } from "../../../core/caller.ts";
import { changeItem, createItem, type ItemRef } from "../../../resource/items.ts";
import type { Item } from "../../../resource/resource.ts";
import { chatRooms } from "./resource.ts";
import { storeChatRoom } from "./rules.ts";

/** Creates a chat room. */
export async function createChatRoom(caller: Caller, sent: Item): Promise<Item> {
  return await createItem(caller, chatRooms, sent, { rule: storeChatRoom(caller.env) });
}

/** Changes a chat room. */
export async function changeChatRoom(caller: Caller, named: ItemRef, sent: Item): Promise<Item> {
  return await changeItem(caller, chatRooms, named, sent, { rule: storeChatRoom(caller.env) });
}
