import { createRoute, type RouteHandler } from "@hono/zod-openapi";
import { created, createdAnswer } from "../../../http/created.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { newRecalculation, recalculation } from "./recalculation.ts";
import { createRecalculation } from "./recalculations.ts";

const example = { reason: "A wrong factor was put right", machineIds: [1], from: "2026-10-01T06:00:00Z" };

export const contract = createRoute({
  method: "post",
  path: "/v1/recalculations",
  operationId: "createRecalculation",
  tags: ["recalculations"],
  summary: "Recalculate machines",
  description: `Machines read the events of a time again, and compute its shifts anew. What people said of stops stays. The service does this by itself where
late events or a change need it, so it is for doubts. Machines answer as ever meanwhile; two machines of a company recalculate at a time. Honours an Idempotency-Key.`,
  ...allowPermission("set-up:write", { isIdempotent: true }),
  request: {
    body: { required: true, content: { "application/json": { schema: newRecalculation, example } } },
  },
  responses: {
    201: createdAnswer(recalculation, "The recalculation, which is under way"),
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  created(c, await createRecalculation(callerOf(c), c.req.valid("json")));
