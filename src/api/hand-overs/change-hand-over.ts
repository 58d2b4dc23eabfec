import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { callerOf } from "../../http/session.ts";
import { changedHandOver, handOverWithFigures } from "./hand-over.ts";
import { changeHandOver } from "./hand-overs.ts";

export const contract = createRoute({
  method: "patch",
  path: "/v1/hand-overs/{id}",
  operationId: "changeHandOver",
  tags: ["hand-overs"],
  summary: "Change a hand-over",
  description: `Until it is acknowledged: then it is a 409. Members that are left out stay. The figures are those of now, and \`writtenBy\` is who changed it.
Honours an Idempotency-Key.`,
  ...allowPermission("hand-overs:write", { isIdempotent: true, costly: "report" }),
  request: {
    params: z.object({ id: idParameter }),
    body: {
      required: true,
      content: { "application/json": { schema: changedHandOver, example: { watch: ["Liner 2: roll 4 is in bay 3"] } } },
    },
  },
  responses: {
    200: { description: "The hand-over", content: { "application/json": { schema: handOverWithFigures } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await changeHandOver(callerOf(c), c.req.valid("param").id, c.req.valid("json")), 200);
