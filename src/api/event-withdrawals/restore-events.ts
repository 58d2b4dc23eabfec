import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { restoreEvents } from "./event-withdrawals.ts";

export const contract = createRoute({
  method: "delete",
  path: "/v1/event-withdrawals/{id}",
  operationId: "restoreEvents",
  tags: ["event withdrawals"],
  summary: "Restore withdrawn events",
  description: "The events count again. The withdrawal stays known, with who took it back and when. Honours an Idempotency-Key.",
  ...allowPermission("set-up:write", { isIdempotent: true }),
  request: { params: z.object({ id: idParameter }) },
  responses: {
    204: { description: "The events count again" },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  await restoreEvents(callerOf(c), c.req.valid("param").id);
  return c.body(null, 204);
};
