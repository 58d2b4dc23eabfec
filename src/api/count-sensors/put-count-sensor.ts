import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter } from "../../core/inputs.ts";
import { notFound } from "../../core/problem.ts";
import { keepAnswer } from "../../http/idempotency.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { roundUnits } from "../../oee/units.ts";
import { changeSensors } from "./change-sensors.ts";
import { channelConfig, inOrder, machineSensors, maxChannels } from "./members.ts";
import type { CurrentSensors } from "./queries.ts";

const config = z.strictObject({
  ...channelConfig.shape,
  countingFactor: z
    .number()
    .gt(0)
    .max(1_000_000)
    .refine((factor) => roundUnits(factor) === factor, "must have 6 decimals at most")
    .openapi({ description: "Units per pulse, with 6 decimals at most" }),
});
const body = z.strictObject({ isCountEnabled: z.boolean(), configs: z.array(config).max(maxChannels) });

export const contract = createRoute({
  method: "put",
  path: "/v1/machines/{id}/count-sensor",
  operationId: "putCountSensor",
  tags: ["count sensors"],
  summary: "Set the count sensors of a machine",
  description: `Replaces what was there, from now on; until the machine is heard of it holds from its commissioning. Refused as by
\`updateCountSensors\`: a channel given twice, \`good\` together with \`defect\` or \`rework\` beside \`total\` or \`cycle\` (400), a channel that
feeds another machine (409).`,
  ...allowPermission("set-up:write", { isIdempotent: true }),
  request: {
    params: z.object({ id: idParameter }),
    body: {
      required: true,
      content: {
        "application/json": {
          schema: body,
          example: { isCountEnabled: true, configs: [{ type: "total", countingFactor: 0.25, channel: 1, nodeId: 1 }] },
        },
      },
    },
  },
  responses: {
    200: { description: "As it is now", content: { "application/json": { schema: machineSensors } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { id: machineId } = c.req.valid("param");
  const sensors = c.req.valid("json");
  const { role, companyId } = c.var.actor;
  const refOf = ({ machines: [machine] }: CurrentSensors) => machine?.ref ?? "";
  const answerOf = (current: CurrentSensors) => {
    return { machineId, machineRef: refOf(current), ...sensors, configs: inOrder(sensors.configs) };
  };
  const before = await changeSensors(
    c,
    { machineId, companyId: role === "superuser" ? undefined : companyId },
    (current) => [{ pointer: "", kind: "set", machineRef: refOf(current), ...sensors }],
    sensors.configs,
    (current) => keepAnswer(c, 200, JSON.stringify(answerOf(current))),
  );
  if (!before) throw notFound(`There is no machine ${machineId}.`);
  return c.json(answerOf(before), 200);
};
