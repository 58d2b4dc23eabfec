import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { nameText } from "../../../core/inputs.ts";
import { created, createdAnswer } from "../../../http/created.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { gatewayTokens } from "../../ingest/gateway-tokens/resource.ts";
import { createGatewayPairing } from "./gateway-pairings.ts";
import { companyOfPairing } from "./members.ts";

const body = z.strictObject({
  name: nameText(200).openapi({ description: "Name of the gateway, and of its token", example: "Bridge hall 1" }),
  companyId: companyOfPairing,
});

const answer = z
  .object({
    id: z.uuid(),
    companyId: z.int(),
    name: answerText,
    code: answerText.openapi({ description: "To be entered at the gateway", example: "CDFG-3467" }),
    expiresAt: z.iso.datetime().openapi({ description: "When the code ends: 15 minutes from now" }),
    createdAt: z.iso.datetime(),
  })
  .openapi("NewGatewayPairing");

export const contract = createRoute({
  method: "post",
  path: "/v1/gateway-pairings",
  operationId: "createGatewayPairing",
  tags: ["gateways"],
  summary: "Make a code for a gateway",
  description: `The code is good once, for 15 minutes. Somebody enters it at the gateway (\`andon-bridge pair CODE\`), which exchanges it for its token
(\`POST /v1/gateway-pairings/confirm\`): whoever has the code gets the token. \`GET /v1/gateway-pairings/{id}\` says whether the gateway has come. Honours an
Idempotency-Key.

429: after 100 codes in 15 minutes.`,
  ...allowPermission(gatewayTokens.access.write, { isIdempotent: true, isForPeople: true }),
  request: { body: { required: true, content: { "application/json": { schema: body, example: { name: "Bridge hall 1" } } } } },
  responses: {
    201: createdAnswer(answer, "The code"),
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 429, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  created(c, await createGatewayPairing(callerOf(c), c.req.valid("json")));
