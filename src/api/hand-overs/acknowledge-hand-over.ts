import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { handOverWithFigures } from "./hand-over.ts";
import { acknowledgeHandOver } from "./hand-overs.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/hand-overs/{id}/acknowledge",
  operationId: "acknowledgeHandOver",
  tags: ["hand-overs"],
  summary: "Acknowledge a hand-over",
  description: `Whoever takes the next shift has read it. From now on it does not change. If its figures were read before the shift ended, they are read once more.
One that was acknowledged before keeps its \`acknowledgedAt\` and \`acknowledgedBy\`. Honours an Idempotency-Key.`,
  ...allowPermission("hand-overs:write", { isIdempotent: true, costly: "report" }),
  request: { params: z.object({ id: idParameter }) },
  responses: {
    200: { description: "The acknowledged hand-over", content: { "application/json": { schema: handOverWithFigures } } },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await acknowledgeHandOver(callerOf(c), c.req.valid("param").id), 200);
