import { newToken } from "../../../core/bearer-token.ts";
import type { Caller } from "../../../core/caller.ts";
import { createItem, newOwnerOf } from "../../../resource/items.ts";
import type { Item } from "../../../resource/resource.ts";
import { refuse } from "../../../resource/rules.ts";
import { apiTokens } from "./resource.ts";

/** Creates an API token, which is shown only this once. */
export async function createApiToken(caller: Caller, sent: Item): Promise<Item> {
  const message = "must be left out: a superuser's token acts in all companies";
  const isInOne = sent.role === "superuser" && sent.companyId !== undefined;
  refuse(isInOne ? [{ pointer: "/companyId", code: "not_allowed", message }] : []);
  const { token, tokenHash } = newToken("api", newOwnerOf(caller, sent));
  return await createItem(caller, apiTokens, { ...sent, tokenHash }, { shownOnce: { token } });
}
