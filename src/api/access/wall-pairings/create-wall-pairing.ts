import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { clientAddressOf } from "../../../http/client-address.ts";
import { created, createdAnswer } from "../../../http/created.ts";
import { networkOf } from "../../../http/network.ts";
import { open } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { visitorOf } from "../../../http/session.ts";
import { beginPairing } from "./wall-pairings.ts";

const pairing = z
  .object({
    id: z.uuid(),
    code: answerText.openapi({ description: "To be shown, and entered by an admin", example: "CDFG-3467" }),
    secret: answerText.openapi({
      description: "The wall fetches its token with this secret. Whoever has it can fetch the token, so never show it to anybody",
      example: "andon_pair_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIGFsb25lLCBrZXk",
    }),
    expiresAt: z.iso.datetime().openapi({ description: "When the code ends: ten minutes from now" }),
  })
  .openapi("NewWallPairing");

export const contract = createRoute({
  method: "post",
  path: "/v1/wall-pairings",
  operationId: "createWallPairing",
  tags: ["walls"],
  summary: "Begin to pair a wall",
  description: `For a wall display without a keyboard. It shows the code, an admin confirms the code on another device
(\`POST /v1/wall-pairings/confirm\`), and the wall fetches its API token (\`GET /v1/wall-pairings/{id}\`).

429: after 100 from one address in 15 minutes.`,
  ...open(),
  responses: {
    201: createdAnswer(pairing, "What the wall shows, and what it keeps"),
    ...problemResponses(400, 429, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  created(c, await beginPairing(visitorOf(c), networkOf(clientAddressOf(c) ?? "")));
