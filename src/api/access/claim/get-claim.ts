import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { open } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { visitorOf } from "../../../http/session.ts";
import { isClaimed } from "./claims.ts";

const claim = z
  .object({ isClaimed: z.boolean().openapi({ description: "Whether the service has users, or had some" }) })
  .openapi("ClaimState");

export const contract = createRoute({
  method: "get",
  path: "/v1/claim",
  operationId: "getClaim",
  tags: ["identity"],
  summary: "Whether the service has been claimed",
  description: "A service without users waits for its first one: `POST /v1/claim`.",
  ...open(),
  responses: {
    200: { description: "Whether it has been", content: { "application/json": { schema: claim } } },
    ...problemResponses(400, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => c.json({ isClaimed: await isClaimed(visitorOf(c)) }, 200);
