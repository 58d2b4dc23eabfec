import { createHash, randomBytes } from "node:crypto";
import { z } from "@hono/zod-openapi";
import { idParameter, text } from "../../../core/inputs.ts";
import { accessBy } from "../access.ts";
import { companyIdMember, type Resource, stampMembers, stampsOf } from "../resource.ts";
import { type GatewayTokenRow, gatewayTokenTable } from "./queries.ts";

const members = { name: text(200).min(1).openapi({ description: "Of the gateway that has it", example: "Gateway hall 1" }) };
const item = z.object({ id: z.int(), companyId: companyIdMember, ...members, ...stampMembers }).openapi("GatewayToken");
const token = z.string().nullable().openapi({
  description: "Send it as bearer token. Shown in this answer alone: null when the request is repeated with its Idempotency-Key",
  example: "andon_gw_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIGFsb25lLCBrZXk",
});

export const gatewayTokens: Resource<GatewayTokenRow> = {
  name: "GatewayToken",
  names: "GatewayTokens",
  noun: "gateway token",
  nouns: "gateway tokens",
  path: "/v1/gateway-tokens",
  description: "Good for `POST /v1/ingest` alone. A deleted one is refused within 30 s.",
  access: accessBy("set-up:read", "gateways:write"),
  table: gatewayTokenTable,
  example: { name: "Gateway hall 1" },
  id: idParameter,
  item,
  create: z.object(members),
  change: z.object(members).partial(),
  createdItem: item.extend({ token }).openapi("NewGatewayToken"),
  toItem: (row) => ({ id: row.id, companyId: row.companyId, name: row.name, ...stampsOf(row) }),
  async derive(_sent, before) {
    if (before) return { values: {} };
    const secret = `andon_gw_${randomBytes(32).toString("base64url")}`;
    const tokenHash = createHash("sha256").update(secret).digest("hex");
    return { values: { tokenHash }, shown: { token: secret } };
  },
};
