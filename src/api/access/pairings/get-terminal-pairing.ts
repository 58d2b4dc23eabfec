import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { open } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { visitorOf } from "../../../http/session.ts";
import { asked, pairing } from "./members.ts";
import { getTerminalPairing } from "./pairings.ts";

const answer = pairing("terminal", "andon_term_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIGFsb25lLCBrZXk")
  .extend({
    machineIds: z.array(z.int()).nullable().openapi({ description: "The machines that it is for; null unless confirmed" }),
  })
  .openapi("TerminalPairing");

export const contract = createRoute({
  method: "get",
  path: "/v1/terminal-pairings/{id}",
  operationId: "getTerminalPairing",
  tags: ["terminals"],
  summary: "Get the result of pairing a terminal",
  description: `The terminal asks this every few seconds. Once an admin has confirmed the code, each answer of the next ten minutes has its
token, so that a lost answer does no harm. 404 without the right secret, and some time after the pairing ended.`,
  ...open(),
  request: asked,
  responses: {
    200: { description: "Whether it is confirmed, and with what", content: { "application/json": { schema: answer } } },
    ...problemResponses(400, 404, 429, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { "x-pairing-secret": secret } = c.req.valid("header");
  return c.json(await getTerminalPairing(visitorOf(c), c.req.valid("param").id, secret), 200);
};
