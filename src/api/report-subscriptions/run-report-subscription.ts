import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { log } from "./log.ts";
import { runReportNow } from "./run-now.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/report-subscriptions/{id}/run",
  operationId: "runReportSubscription",
  tags: ["report subscriptions"],
  summary: "Send a report now",
  description: `Sends the report of the newest period to all recipients of the subscription, which need not be active. The answer is the run's
entry in the log, which will show the result. Refused within 10 seconds of another run (409). Honours an Idempotency-Key.`,
  ...allowPermission("report-subscriptions:write", { isIdempotent: true }),
  request: { params: z.object({ id: text(100) }) },
  responses: {
    200: { description: "The run, which has not begun", content: { "application/json": { schema: log } } },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await runReportNow(callerOf(c), c.req.valid("param").id), 200);
};
