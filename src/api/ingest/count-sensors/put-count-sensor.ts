import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, instant, nameText } from "../../../core/inputs.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { dryRunMember } from "../../../resource/dry-run.ts";
import { dryRunFlag } from "../../../resource/plan-change.ts";
import { machineSensors, sentSensors } from "./members.ts";
import { setSensors } from "./sensors.ts";

const body = z.strictObject({
  ...sentSensors.shape,
  effectiveFrom: instant.optional().openapi({
    description:
      "From when they hold, if they were other than it seemed: an instant of the past. What was sent since is counted again. Admins only",
  }),
  reason: nameText(500).optional().openapi({ description: "Why: in the audit. Required with effectiveFrom" }),
  dryRun: dryRunFlag.optional(),
});

export const contract = createRoute({
  method: "put",
  path: "/v1/machines/{id}/count-sensor",
  operationId: "putCountSensor",
  tags: ["count sensors"],
  summary: "Set the count sensors of a machine",
  description: `Replaces the count sensors of the machine from now on, or from its commissioning if no event of it was received yet. Refused for
the same reasons as \`updateCountSensors\`: a channel given twice, \`good\` together with \`defect\` or \`rework\` beside \`total\` or \`cycle\` (400), a channel that
feeds another machine (409). With \`effectiveFrom\` they hold from that instant on, at which the machine must already have had the channels that it has now (409).
Counts of a channel that fed no machine are kept for a day (\`GET /v1/signals\`): those of the time for which it is given to this one count, each once.`,
  ...allowPermission("set-up:write", { isIdempotent: true }),
  request: {
    params: z.object({ id: idParameter }),
    body: {
      required: true,
      content: {
        "application/json": {
          schema: body,
          example: {
            isCountEnabled: true,
            configs: [{ type: "total", countingFactor: 0.25, channel: 1, nodeId: 1, wrapsAt: 65536 }],
          },
        },
      },
    },
  },
  responses: {
    200: {
      description: "The new count sensors",
      content: { "application/json": { schema: machineSensors.extend({ dryRun: dryRunMember.optional() }) } },
    },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  return c.json(await setSensors(callerOf(c), c.req.valid("param").id, c.req.valid("json")), 200);
};
