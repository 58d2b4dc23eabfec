import { z } from "@hono/zod-openapi";
import { idParameter, nameText } from "../../../core/inputs.ts";
import { companyIdMember, type Resource, stampMembers, stampsOf } from "../../../resource/resource.ts";
import { type GatewayTokenRow, gatewayTokenTable } from "./queries.ts";

const members = { name: nameText(200).openapi({ description: "Name of the gateway", example: "Gateway hall 1" }) };

export const gatewayTokens: Resource<GatewayTokenRow> = {
  names: { type: "GatewayToken", types: "GatewayTokens", noun: "gateway token", nouns: "gateway tokens" },
  path: "/v1/gateway-tokens",
  description: "Valid only for `POST /v1/ingest` and `/v1/gateways/self`. A deleted token is refused within 30 s.",
  access: { read: "set-up:read", write: "gateways:write" },
  table: gatewayTokenTable,
  members: {
    id: idParameter,
    item: z.object({ id: z.int(), companyId: companyIdMember, ...members, ...stampMembers }).openapi("GatewayToken"),
    create: z.object(members),
    change: z.object(members).partial(),
    example: { name: "Gateway hall 1" },
  },
  shape: { item: (row) => ({ id: row.id, companyId: row.companyId, name: row.name, ...stampsOf(row) }) },
  rules: {},
};
