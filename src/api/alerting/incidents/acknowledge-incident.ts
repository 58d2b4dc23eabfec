import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { incidentWithMachines } from "./incident.ts";
import { acknowledgeIncident } from "./incidents.ts";

export const contract = createRoute({
  method: "post",
  path: "/v1/incidents/{id}/acknowledge",
  operationId: "acknowledgeIncident",
  tags: ["incidents"],
  summary: "Acknowledge an incident",
  description: `Says that somebody is taking care of it, so no further level is notified. An incident that was already acknowledged or resolved
stays as it is. Honours an
Idempotency-Key.`,
  ...allowPermission("incidents:acknowledge", { isIdempotent: true }),
  request: { params: z.object({ id: text(100) }) },
  responses: {
    200: { description: "The incident", content: { "application/json": { schema: incidentWithMachines } } },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await acknowledgeIncident(callerOf(c), c.req.valid("param").id), 200);
