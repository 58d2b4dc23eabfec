import { createHash, randomBytes } from "node:crypto";
import type { RouteHandler } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { created } from "../../../http/created.ts";
import { callerOf } from "../../../http/session.ts";
import { createContract } from "../../../resource/contracts.ts";
import { createItem } from "../../../resource/items.ts";
import { refuse } from "../../../resource/rules.ts";
import { apiTokens } from "./resource.ts";

const token = answerText.nullable().openapi({
  description: "The bearer token. Shown only in this answer: null if the request is repeated with its Idempotency-Key",
  example: "andon_api_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIGFsb25lLCBrZXk",
});

export const contract = createContract(apiTokens, apiTokens.members.item.extend({ token }).openapi("NewApiToken"));

export const handler: RouteHandler<typeof contract> = async (c) => {
  const secret = `andon_api_${randomBytes(32).toString("base64url")}`;
  const tokenHash = createHash("sha256").update(secret).digest("hex");
  const sent = c.req.valid("json");
  const message = "must be left out: a superuser's token acts in all companies";
  const isInOne = sent.role === "superuser" && sent.companyId !== undefined;
  refuse(isInOne ? [{ pointer: "/companyId", code: "not_allowed", message }] : []);
  return created(c, await createItem(callerOf(c), apiTokens, { ...sent, tokenHash }, { shownOnce: { token: secret } }));
};
