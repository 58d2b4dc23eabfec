import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { nameInPath } from "../../../core/inputs.ts";
import { allow } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { getClassification } from "./classifications.ts";
import { stopClassification } from "./stop-classification.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/stop-classifications/{id}",
  operationId: "getStopClassification",
  tags: ["stops"],
  summary: "Get a bulk classification of stops",
  description: "How far it is, and which stops it left as they were.",
  ...allow("user", "superuser", "admin", "superadmin", "readonly"),
  request: { params: z.object({ id: nameInPath }) },
  responses: {
    200: { description: "The bulk classification", content: { "application/json": { schema: stopClassification } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getClassification(callerOf(c), c.req.valid("param").id), 200);
