import { newToken } from "../../../core/bearer-token.ts";
import type { Caller } from "../../../core/caller.ts";
import { createItem, newOwnerOf } from "../../../resource/items.ts";
import type { Item } from "../../../resource/resource.ts";
import { gatewayTokens } from "./resource.ts";

/** Creates a gateway's token, which is shown only this once. */
export async function createGatewayToken(caller: Caller, sent: Item): Promise<Item> {
  const { token, tokenHash } = newToken("gw", newOwnerOf(caller, sent));
  return await createItem(caller, gatewayTokens, { ...sent, tokenHash }, { shownOnce: { token } });
}
