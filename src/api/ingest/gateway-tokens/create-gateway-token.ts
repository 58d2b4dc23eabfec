import type { RouteHandler } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { created } from "../../../http/created.ts";
import { callerOf } from "../../../http/session.ts";
import { createContract } from "../../../resource/contracts.ts";
import { createGatewayToken } from "./new-token.ts";
import { gatewayTokens } from "./resource.ts";

const token = answerText.nullable().openapi({
  description: "The bearer token. Shown only in this answer: null if the request is repeated with its Idempotency-Key",
  example: "andon_gw_1c_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIGFsb25lLCBrZXk",
});

export const contract = createContract(gatewayTokens, gatewayTokens.members.item.extend({ token }).openapi("NewGatewayToken"));

export const handler: RouteHandler<typeof contract> = async (c) =>
  created(c, await createGatewayToken(callerOf(c), c.req.valid("json")));
