import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { open } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { visitorOf } from "../../../http/session.ts";
import { getPairing } from "./wall-pairings.ts";

const secret = z
  .string()
  .regex(/^andon_pair_[\w-]{43}$/, "must be the secret of the pairing")
  .openapi({ description: "The secret of the pairing" });

const pairing = z
  .object({
    id: z.uuid(),
    status: z.enum(["pending", "confirmed", "expired"]).openapi({
      description: "`expired`: the time is over, or the token was deleted; the wall begins another pairing",
    }),
    expiresAt: z.iso
      .datetime()
      .openapi({ description: "When the code expires; once it is confirmed, until when the token can be fetched" }),
    token: answerText.nullable().openapi({
      description: "The wall's API token, the same each time; null unless confirmed",
      example: "andon_api_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIGFsb25lLCBrZXk",
    }),
    companyId: z.int().nullable().openapi({ description: "The company that the wall shows; null unless confirmed" }),
    name: answerText.nullable().openapi({ description: "The wall's name; null unless confirmed" }),
    lineIds: z.array(z.int()).nullable().openapi({ description: "The lines that the wall is to show; null: all" }),
    distance: z.int().nullable().openapi({ description: "From how far the wall is read, in metres; null unless confirmed" }),
  })
  .openapi("WallPairing");

export const contract = createRoute({
  method: "get",
  path: "/v1/wall-pairings/{id}",
  operationId: "getWallPairing",
  tags: ["walls"],
  summary: "Get the result of pairing a wall",
  description: `The wall asks this every few seconds. Once an admin has confirmed the code, each answer of the next ten minutes has the wall's
token, so that a lost answer does no harm. 404 without the right secret, and some time after the pairing ended.`,
  ...open(),
  request: { params: z.object({ id: z.uuid() }), headers: z.object({ "x-pairing-secret": secret }) },
  responses: {
    200: { description: "Whether it is confirmed, and with what", content: { "application/json": { schema: pairing } } },
    ...problemResponses(400, 404, 429, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { "x-pairing-secret": secret } = c.req.valid("header");
  return c.json(await getPairing(visitorOf(c), c.req.valid("param").id, secret), 200);
};
