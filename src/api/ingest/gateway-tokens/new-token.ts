import { createHash, randomBytes } from "node:crypto";
import type { Caller } from "../../../core/caller.ts";
import { createItem } from "../../../resource/items.ts";
import type { Item } from "../../../resource/resource.ts";
import { gatewayTokens } from "./resource.ts";

/** Creates a gateway's token, which is shown only this once. */
export async function createGatewayToken(caller: Caller, sent: Item): Promise<Item> {
  const token = `andon_gw_${randomBytes(32).toString("base64url")}`;
  const tokenHash = createHash("sha256").update(token).digest("hex");
  return await createItem(caller, gatewayTokens, { ...sent, tokenHash }, { shownOnce: { token } });
}
