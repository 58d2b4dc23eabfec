import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../../core/inputs.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import { channelConfig, maxChannels } from "./members.ts";
import type { SensorEntry } from "./sensor-change.ts";
import { changeSensors } from "./sensors.ts";

const config = channelConfig.extend({
  countingFactor: z.int().min(1).max(1_000_000).openapi({ description: "Units per pulse" }),
});
const named = z.object({ machineRef: text(100).min(1) });
const entry = named.extend({ isCountEnabled: z.boolean(), configs: z.array(config).max(maxChannels) });
const listOf = <S extends z.ZodType>(item: S) => z.array(item).max(500).default([]);
const body = z.object({
  companyId: z.int().min(1),
  added: listOf(entry),
  updated: listOf(entry),
  deleted: listOf(named).openapi({ description: "Only `machineRef` matters" }),
});

export const contract = createRoute({
  method: "patch",
  path: "/backoffice/machines/count-sensors",
  operationId: "updateCountSensors",
  tags: ["count sensors"],
  summary: "Add, replace and delete the count sensors of a company's machines",
  description: `All or nothing. A count means what the count sensors in force at its \`at\` say: a change holds from now on, and past counts keep
their machine, type and factor, also those that come late. Before a machine's first event, a change applies from its commissioning. Every fault is
listed; its kinds make a 400 (a machine or channel given twice, or \`good\` together with \`defect\` or \`rework\` beside \`total\` or
\`cycle\`: what is not good of the total is the defects), else a 404 (unknown, or nothing to update or delete), else a 409 (added before, or
the channel feeds another machine). With \`cycle\` and \`total\` both, cycles come from \`cycle\` and units from \`total\`. Honours an
Idempotency-Key.`,
  ...allowRoles(["superuser"], { isIdempotent: true }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: body,
          example: {
            companyId: 1,
            added: [],
            updated: [
              {
                machineRef: "INJ-1",
                isCountEnabled: true,
                configs: [
                  { type: "total", countingFactor: 2, channel: 1, nodeId: 1 },
                  { type: "defect", countingFactor: 1, channel: 2, nodeId: 1 },
                ],
              },
            ],
            deleted: [],
          },
        },
      },
    },
  },
  responses: { 204: { description: "Changed" }, ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { companyId, added, updated, deleted } = c.req.valid("json");
  const entries: SensorEntry[] = [
    ...added.map((one, i) => ({ ...one, kind: "added" as const, pointer: `/added/${i}` })),
    ...updated.map((one, i) => ({ ...one, kind: "updated" as const, pointer: `/updated/${i}` })),
    ...deleted.map((one, i) => ({ ...gone, ...one, kind: "deleted" as const, pointer: `/deleted/${i}` })),
  ];
  await changeSensors(callerOf(c), companyId, entries);
  return c.body(null, 204);
};

const gone = { isCountEnabled: false, configs: [] };
