import type { Caller } from "../../core/caller.ts";
import type { PasswordClient } from "../../core/password.ts";
import { changeItem, createItem, type ItemRef } from "../../resource/items.ts";
import type { Item } from "../../resource/resource.ts";
import { operators } from "./resource.ts";
import { storeOperator } from "./rules.ts";

/** Creates an operator, with a PIN or without. */
export async function createOperator(caller: Caller, client: PasswordClient, sent: Item): Promise<Item> {
  return await createItem(caller, operators, sent, { rule: storeOperator(client) });
}

/** Changes an operator. */
export async function changeOperator(caller: Caller, client: PasswordClient, named: ItemRef, sent: Item): Promise<Item> {
  return await changeItem(caller, operators, named, sent, { rule: storeOperator(client) });
}
