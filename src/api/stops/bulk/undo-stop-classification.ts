import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { nameInPath } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { undoClassification } from "./classifications.ts";
import { stopClassification } from "./stop-classification.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/stop-classifications/{id}/undo",
  operationId: "undoStopClassification",
  tags: ["stops"],
  summary: "Undo a bulk classification of stops",
  description: `Its stops are as they were before. A stop that somebody changed afterwards is left as it is, and counts as \`kept\`. The stops of more than 50
machines are done by a job: the answer is \`undoing\`. Undoing it again changes nothing. 409 while it is still running. Honours an Idempotency-Key.`,
  ...allowPermission("stops:write", { isIdempotent: true }),
  request: { params: z.object({ id: nameInPath }) },
  responses: {
    200: { description: "The bulk classification", content: { "application/json": { schema: stopClassification } } },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await undoClassification(callerOf(c), c.req.valid("param").id), 200);
