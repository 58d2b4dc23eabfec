import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { clientAddressOf } from "../../../http/client-address.ts";
import { created, createdAnswer } from "../../../http/created.ts";
import { networkOf } from "../../../http/network.ts";
import { open } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { visitorOf } from "../../../http/session.ts";
import { newPairing } from "./members.ts";
import { beginPairing } from "./pairings.ts";

const pairing = newPairing("terminal").openapi("NewTerminalPairing");

export const contract = createRoute({
  method: "post",
  path: "/v1/terminal-pairings",
  operationId: "createTerminalPairing",
  tags: ["terminals"],
  summary: "Begin to pair a terminal",
  description: `For a terminal at a machine, whose people sign in by badge. It shows the code, an admin confirms the code on another device and
chooses the machines (\`POST /v1/terminal-pairings/confirm\`), and the terminal fetches its API token (\`GET /v1/terminal-pairings/{id}\`).

429: after 100 from one address in 15 minutes.`,
  ...open(),
  responses: {
    201: createdAnswer(pairing, "What the terminal shows, and what it keeps"),
    ...problemResponses(400, 429, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  created(c, await beginPairing(visitorOf(c), "terminal", networkOf(clientAddressOf(c) ?? "")));
