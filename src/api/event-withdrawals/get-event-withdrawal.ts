import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { eventWithdrawal } from "./event-withdrawal.ts";
import { getEventWithdrawal } from "./event-withdrawals.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/event-withdrawals/{id}",
  operationId: "getEventWithdrawal",
  tags: ["event withdrawals"],
  summary: "Get a withdrawal of events",
  description: "One that was taken back is shown, too: it has `restoredAt`.",
  ...allowPermission("reports:read"),
  request: { params: z.object({ id: idParameter }) },
  responses: {
    200: { description: "The withdrawal", content: { "application/json": { schema: eventWithdrawal } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getEventWithdrawal(callerOf(c), c.req.valid("param").id), 200);
