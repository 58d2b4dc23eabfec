import type { Caller } from "../../core/caller.ts";
import { changeItem, createItem, type ItemRef } from "../../resource/items.ts";
import type { Item } from "../../resource/resource.ts";
import { webhookSubscriptions } from "./resource.ts";
import { newSecret, refuseUrl } from "./rules.ts";

/** The members of a subscription that are read here, of those that were sent. */
export interface NewSubscription extends Item {
  url: string;
  hasOwnSecret: boolean;
}

/** Creates a subscription. If it gets a secret of its own, that is shown only this once. */
export async function createWebhookSubscription(caller: Caller, { hasOwnSecret, ...sent }: NewSubscription): Promise<Item> {
  refuseUrl(caller.env, sent.url);
  const { shown, stored } = await newSecret(caller.env, hasOwnSecret);
  return await createItem(caller, webhookSubscriptions, { ...sent, ...stored }, { shownOnce: { secret: shown } });
}

/** Changes a subscription. */
export async function changeWebhookSubscription(caller: Caller, named: ItemRef, sent: { url?: string }): Promise<Item> {
  refuseUrl(caller.env, sent.url);
  return await changeItem(caller, webhookSubscriptions, named, { ...sent });
}
