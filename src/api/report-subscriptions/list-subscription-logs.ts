import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { instant, text } from "../../core/inputs.ts";
import { taggedHeaders } from "../../http/etag.ts";
import { allow } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { log } from "./log.ts";
import { listLogs } from "./subscriptions.ts";

const query = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  before: instant.optional().openapi({ description: "Only logs with an earlier `executeAt`" }),
});

export const contract = createRoute({
  method: "get",
  path: "/subscriptions/{subscriptionId}/logs",
  operationId: "listSubscriptionLogs",
  tags: ["report subscriptions"],
  summary: "List the logs of a report subscription",
  description: "Newest `executeAt` first. For more, ask again with `before`, the last `executeAt` of the answer.",
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { params: z.object({ subscriptionId: text(100) }), query },
  responses: {
    200: { description: "The logs", headers: taggedHeaders, content: { "application/json": { schema: z.array(log) } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await listLogs(callerOf(c), c.req.valid("param").subscriptionId, c.req.valid("query")), 200);
