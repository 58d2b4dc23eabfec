import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { answerText } from "../../../core/answer-text.ts";
import { nameText } from "../../../core/inputs.ts";
import { clientAddressOf } from "../../../http/client-address.ts";
import type { UserEnv } from "../../../http/env.ts";
import { networkOf } from "../../../http/network.ts";
import { open } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf, visitorOf } from "../../../http/session.ts";
import { gatewayTokens } from "../../ingest/gateway-tokens/resource.ts";
import { confirmGatewayPairing, takeGatewayCode } from "./gateway-pairings.ts";

const body = z.strictObject({
  code: nameText(20).openapi({ description: "As it was made. Case, spaces and hyphens do not matter", example: "CDFG-3467" }),
});

const answer = gatewayTokens.members.item
  .extend({
    token: answerText.openapi({
      description: "The bearer token. Shown only in this answer",
      example: "andon_gw_1c_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIGFsb25lLCBrZXk",
    }),
  })
  .openapi("PairedGateway");

export const contract = createRoute({
  method: "post",
  path: "/v1/gateway-pairings/confirm",
  operationId: "confirmGatewayPairing",
  tags: ["gateways"],
  summary: "Exchange a gateway's code for its token",
  description: `For the gateway at which the code was entered (\`POST /v1/gateway-pairings\`). The code is used up with that: if the answer is lost, make another
one, and delete the token that nobody has. The token is made in the name of the user who made the code.

429: after 20 wrong codes from one address in 15 minutes.`,
  ...open(),
  request: { body: { required: true, content: { "application/json": { schema: body, example: { code: "CDFG-3467" } } } } },
  responses: {
    200: { description: "The gateway's token", content: { "application/json": { schema: answer } } },
    ...problemResponses(400, 409, 413, 415, 429, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const exchange = await takeGatewayCode(visitorOf(c), c.req.valid("json").code, networkOf(clientAddressOf(c) ?? ""));
  // The visitor acts as whoever made the code from here on.
  const context = c as unknown as Context<UserEnv>;
  context.set("actor", exchange.actor);
  return c.json(await confirmGatewayPairing(callerOf(context), exchange), 200);
};
