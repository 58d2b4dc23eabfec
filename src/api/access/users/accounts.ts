import type { Caller } from "../../../core/caller.ts";
import type { PasswordClient } from "../../../core/password.ts";
import { changeItem, createItem, type ItemRef } from "../../../resource/items.ts";
import type { Item } from "../../../resource/resource.ts";
import { confirmPassword } from "../identity/confirm-password.ts";
import { users } from "./resource.ts";
import { storeChangedUser, storeNewUser } from "./rules.ts";

/** Creates a user with a password. */
export async function createUser(caller: Caller, client: PasswordClient, sent: Item): Promise<Item> {
  return await createItem(caller, users, sent, { rule: storeNewUser(client) });
}

/** Changes a user. Changing how another admin signs in requires the caller's own password (`currentPassword`). */
export async function changeUser(caller: Caller, client: PasswordClient, named: ItemRef, sent: Item): Promise<Item> {
  const { currentPassword, ...members } = sent;
  const own = typeof currentPassword === "string" ? currentPassword : undefined;
  const rule = storeChangedUser(client, () => confirmPassword(caller, client, own));
  return await changeItem(caller, users, named, members, { rule });
}
