import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { classifyStops } from "./classifications.ts";
import { classifyBody } from "./filter.ts";
import { stopClassification } from "./stop-classification.ts";

const dryRun = z
  .object({
    isDryRun: z.literal(true),
    total: z.int().openapi({ description: "How many stops match" }),
    unchanged: z.int().openapi({ description: "How many of them would stay as they are" }),
    machines: z.int().openapi({ description: "At how many machines" }),
  })
  .openapi("StopClassificationDryRun");

export const contract = createRoute({
  method: "post",
  path: "/v1/stops/classify",
  operationId: "classifyStops",
  tags: ["stops"],
  summary: "Classify many stops at once",
  description: `The stops with these \`ids\`, or all that match a \`filter\`, get the same causes, component and description. Members that are left out
stay as they are, and null takes theirs away. Only a cause that contradicts the named one does not stay: a specific cause of another general cause goes,
and a general cause gives way to the one above the named specific cause. Up to 500 stops are classified
when the answer comes; of more, up to 10,000, the answer is \`running\`: read its progress at \`/v1/stop-classifications/{id}\`. A stop that somebody
changed in the meantime is left as it is, and named in \`leftOut\`. The audit has one entry for all of them. With \`dryRun\` it only counts. Honours an
Idempotency-Key.`,
  ...allowPermission("stops:write", { isIdempotent: true }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: classifyBody,
          example: {
            filter: { machineIds: [7], from: "2026-11-16T00:00:00Z", to: "2026-11-17T00:00:00Z", isClassified: false },
            generalCauseId: "3",
          },
        },
      },
    },
  },
  responses: {
    200: {
      description: "The bulk classification, or what it would do",
      content: { "application/json": { schema: z.union([stopClassification, dryRun]) } },
    },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await classifyStops(callerOf(c), c.req.valid("json")), 200);
