import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { paged } from "../../../core/cursor.ts";
import type { GatewayEnv } from "../../../http/env.ts";
import { allowOwnGateway } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { ownGatewayOf } from "../../../http/session.ts";
import { ownGateway } from "./gateway.ts";
import { getOwnGateway } from "./gateways.ts";

const query = paged(z.tuple([z.int()])).pick({ limit: true, cursor: true });

export const contract = createRoute({
  method: "get",
  path: "/v1/gateways/self",
  operationId: "getOwnGateway",
  tags: ["gateways"],
  summary: "Get the gateway whose token asks",
  description: `Its name, its company and time zone, the service's clock, and the machines that it may feed, which are all of the company, a page at a time.`,
  ...allowOwnGateway(),
  request: { query },
  responses: {
    200: { description: "The gateway", content: { "application/json": { schema: ownGateway } } },
    ...problemResponses(400, 401, 403, 503),
  },
});

export const handler: RouteHandler<typeof contract, GatewayEnv> = async (c) =>
  c.json(await getOwnGateway(ownGatewayOf(c), c.req.valid("query")), 200);
