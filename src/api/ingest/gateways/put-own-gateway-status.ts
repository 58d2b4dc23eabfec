import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import type { GatewayEnv } from "../../../http/env.ts";
import { allowOwnGateway } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { ownGatewayOf } from "../../../http/session.ts";
import { sentStatus } from "./gateway.ts";
import { reportStatus } from "./gateways.ts";

const MAX_BODY_BYTES = 32 * 1024;

const at = "2026-11-20T08:00:00Z";
const example = {
  version: "1.2.0",
  startedAt: at,
  queue: {
    ...{ events: 12, oldestAt: at, bytes: 1200, quarantined: 0 },
    dropped: [{ machineRef: "P1", events: 3, from: at, to: at }],
  },
  sources: [{ id: "hall-io", type: "modbus", state: "ok" as const, lastAt: at, perMinute: 60, error: null }],
  clockSkewMs: 40,
};

export const contract = createRoute({
  method: "put",
  path: "/v1/gateways/self/status",
  operationId: "putOwnGatewayStatus",
  tags: ["gateways"],
  summary: "Report how a gateway does",
  description: `For the gateway whose token reports, every 30 seconds, and sooner when something changes. The last report replaces the one before:
\`GET /v1/gateways\` and the board show it, and alert rules look at it. The answer has the service's clock. At most ${MAX_BODY_BYTES / 1024} KiB.`,
  ...allowOwnGateway({ maxBodyBytes: MAX_BODY_BYTES }),
  request: { body: { required: true, content: { "application/json": { schema: sentStatus, example } } } },
  responses: {
    200: {
      description: "It is kept",
      content: { "application/json": { schema: z.object({ now: z.iso.datetime() }).openapi("ReportedStatus") } },
    },
    ...problemResponses(400, 401, 403, 413, 415, 429, 503),
  },
});

export const handler: RouteHandler<typeof contract, GatewayEnv> = async (c) =>
  c.json(await reportStatus(ownGatewayOf(c), c.req.valid("json")), 200);
