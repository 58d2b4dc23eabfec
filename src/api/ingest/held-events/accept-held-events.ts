import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { heldDecided, heldIds } from "./held-event.ts";
import { decideHeldEvents } from "./held-events.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/held-events/{id}/accept",
  operationId: "acceptHeldEvents",
  tags: ["held events"],
  summary: "Accept held events",
  description: `They count at their own times, as late events do: shifts that they belong to are computed again, closed ones too (\`shift.revised\`). All are accepted
or none: an event of a time whose events the machine did not keep can only be dropped (409). Honours an Idempotency-Key.`,
  ...allowPermission("set-up:write", { isIdempotent: true }),
  request: {
    params: z.object({ id: idParameter }),
    body: { required: true, content: { "application/json": { schema: heldIds, example: {} } } },
  },
  responses: {
    200: { description: "What was accepted", content: { "application/json": { schema: heldDecided } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { ids } = c.req.valid("json");
  return c.json(await decideHeldEvents(callerOf(c), c.req.valid("param").id, "accept", ids), 200);
};
