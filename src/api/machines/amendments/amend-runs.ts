import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { pastRuns, runsBody } from "./amendment.ts";
import { amendRuns } from "./amendments.ts";

const example = {
  from: "2026-11-23T06:00:00Z",
  to: "2026-11-23T09:30:00Z",
  runs: [{ startTime: "2026-11-23T06:00:00Z", skuId: "CAP-28", workOrderId: null }],
  reason: "The change to CAP-28 was not entered",
};

export const contract = createRoute({
  method: "put",
  path: "/v1/machines/{id}/runs",
  operationId: "amendRuns",
  tags: ["machines"],
  summary: "Say what was made in the past",
  description: `In the interval, these runs take the place of what was sent and entered; after it, everything is as if that had counted. Shifts, their SKUs and
the totals of orders follow: at once, or, if more than the last two days change, within seconds. Of two amendments of one time the later one holds,
and each can be undone. Answers with the runs of the interval. Honours an Idempotency-Key.`,
  ...allowPermission("runs:write", { isIdempotent: true }),
  request: {
    params: z.object({ id: idParameter }),
    body: { required: true, content: { "application/json": { schema: runsBody, example } } },
  },
  responses: {
    200: { description: "What was made", content: { "application/json": { schema: pastRuns } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await amendRuns(callerOf(c), c.req.valid("param").id, c.req.valid("json")), 200);
