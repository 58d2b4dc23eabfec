import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { companyQuery } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { gatewayTokens } from "../../ingest/gateway-tokens/resource.ts";
import { getGatewayPairing } from "./gateway-pairings.ts";

const answer = z
  .object({
    id: z.uuid(),
    companyId: z.int(),
    name: answerText,
    status: z.enum(["pending", "confirmed", "expired"]).openapi({
      description: "`confirmed`: the gateway has its token. `expired`: the time is over, or the token was deleted",
    }),
    gatewayTokenId: z.int().nullable().openapi({ description: "Null unless confirmed" }),
    expiresAt: z.iso.datetime().openapi({ description: "When the code ends" }),
    createdAt: z.iso.datetime(),
  })
  .openapi("GatewayPairing");

export const contract = createRoute({
  method: "get",
  path: "/v1/gateway-pairings/{id}",
  operationId: "getGatewayPairing",
  tags: ["gateways"],
  summary: "Get the result of pairing a gateway",
  description: "Whether the gateway has exchanged its code. 404 some time after the code ended.",
  ...allowPermission(gatewayTokens.access.write, { isForPeople: true }),
  request: { params: z.object({ id: z.uuid() }), query: z.strictObject({ companyId: companyQuery }) },
  responses: {
    200: { description: "Whether it has come", content: { "application/json": { schema: answer } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getGatewayPairing(callerOf(c), c.req.valid("param").id, c.req.valid("query").companyId), 200);
