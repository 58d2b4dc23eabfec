import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { incidentWithMachines } from "./incident.ts";
import { getIncident } from "./incidents.ts";

export const contract = createRoute({
  method: "get",
  path: "/v1/incidents/{id}",
  operationId: "getIncident",
  tags: ["incidents"],
  summary: "Get an incident",
  description: "With its machines, including those for which it has ended.",
  ...allowPermission("reports:read"),
  request: { params: z.object({ id: text(100) }) },
  responses: {
    200: { description: "The incident", content: { "application/json": { schema: incidentWithMachines } } },
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await getIncident(callerOf(c), c.req.valid("param").id), 200);
