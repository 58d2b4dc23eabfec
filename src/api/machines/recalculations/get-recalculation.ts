import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { wholeRecalculation } from "./recalculation.ts";
import { getRecalculation } from "./recalculations.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/recalculations/{id}",
  operationId: "getRecalculation",
  tags: ["recalculations"],
  summary: "Get a recalculation",
  description:
    "With how far each of its machines has come, and how many records of closed shifts it has changed. Of a dry run, how many shifts would differ, and in `dryRun` which, of those of its machines that are done.",
  ...allowPermission("reports:read"),
  request: { params: z.object({ id: idParameter }) },
  responses: {
    200: { description: "The recalculation", content: { "application/json": { schema: wholeRecalculation } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getRecalculation(callerOf(c), c.req.valid("param").id), 200);
