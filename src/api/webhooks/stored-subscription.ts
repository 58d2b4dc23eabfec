import { companyOf } from "../../core/actor.ts";
import type { Caller } from "../../core/caller.ts";
import { changeItem, createItem, type ItemRef } from "../../resource/items.ts";
import type { Item } from "../../resource/resource.ts";
import { webhookSubscriptions } from "./resource.ts";
import { newSecret, refuseUrl } from "./rules.ts";

/** The members of a subscription that are read here, of those that were sent. */
export interface NewSubscription extends Item {
  url: string;
  hasOwnSecret: boolean;
  companyId?: number | undefined;
}

/** Creates a subscription. If it gets a secret of its own, that is shown only this once. */
export async function createWebhookSubscription(caller: Caller, { hasOwnSecret, ...sent }: NewSubscription): Promise<Item> {
  refuseUrl(caller.env, sent.url);
  const own = caller.actor.companyId;
  const id = crypto.randomUUID();
  const companyId = companyOf(caller.actor, sent.companyId, own) ?? own;
  const { shown, stored } = await newSecret(caller.env, hasOwnSecret ? { subscriptionId: id } : { companyId });
  return await createItem(caller, webhookSubscriptions, { ...sent, ...stored, id }, { shownOnce: { secret: shown } });
}

/** Changes a subscription. */
export async function changeWebhookSubscription(caller: Caller, named: ItemRef, sent: { url?: string }): Promise<Item> {
  refuseUrl(caller.env, sent.url);
  return await changeItem(caller, webhookSubscriptions, named, { ...sent });
}
