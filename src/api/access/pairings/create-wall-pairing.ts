import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { clientAddressOf } from "../../../http/client-address.ts";
import { created, createdAnswer } from "../../../http/created.ts";
import { networkOf } from "../../../http/network.ts";
import { open } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { visitorOf } from "../../../http/session.ts";
import { newPairing } from "./members.ts";
import { beginPairing } from "./pairings.ts";

const pairing = newPairing("wall").openapi("NewWallPairing");

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
  created(c, await beginPairing(visitorOf(c), "wall", networkOf(clientAddressOf(c) ?? "")));
