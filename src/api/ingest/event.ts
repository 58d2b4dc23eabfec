import { z } from "zod";
import { lineText } from "../../core/lines.ts";
import { machineStates } from "../../oee/events.ts";

// The events that gateways send. Programs that run beside machines check them by the same schemas, so this needs nothing of the service: the
// descriptions become those of the OpenAPI document.

/** How far events may be ahead of the service's clock. */
export const FUTURE_LIMIT_MS = 5 * 60_000;

const name = lineText(128).min(1);
const id = name.optional().meta({
  description:
    "Makes the event count once, however often it is sent. Unique for the machine: another event with the same id is refused as `conflict`. Without one, time and content are the identity",
});
const at = z.iso.datetime({ offset: true }).meta({ description: "When it happened: ISO 8601 with Z or an offset" });
const nodeId = z.int().min(0).meta({ description: "The gateway" });
const machineId = z.int().min(1);

const countShape = z.object({
  id,
  at,
  since: at.optional().meta({
    description: `Start of the time in which it was counted, before \`at\`: the machine was available there for as long as the cycles take at the
standard. Without it, the time since the previous count decides. What lies before the machine's previous count, or more than 48 h before
\`at\`, is ignored`,
  }),
  type: z.literal("count"),
  nodeId,
  channel: z.int().min(0),
  value: z.int().min(0).max(1_000_000_000).optional().meta({
    description: "Pulses since the last one; 0 only shows that data flows. Either this or `reading`",
  }),
  reading: z
    .int()
    .min(0)
    .optional()
    .meta({
      description: `In place of \`value\`: the running total that the counter shows. It counts the pulses since the channel's reading before; the first one
counts nothing. A lower total than before means that the counter was reset, and made what it shows since; or that it wrapped, if the count
sensor has \`wrapsAt\` and that is not faster than 20 times the standard`,
    }),
});
const count = countShape
  .refine(({ at, since }) => since === undefined || Date.parse(since) < Date.parse(at), {
    message: "must be before `at`",
    path: ["since"],
  })
  .refine(({ value, reading }) => (value === undefined) !== (reading === undefined), {
    message: "needs either value or reading",
    path: ["value"],
  });
const heartbeat = z
  .object({ id, at, type: z.literal("heartbeat"), nodeId: nodeId.optional(), machineId: machineId.optional() })
  .refine((event) => (event.nodeId === undefined) !== (event.machineId === undefined), {
    message: "needs either nodeId or machineId",
    path: ["nodeId"],
  });
const state = z.object({ id, at, type: z.literal("state"), machineId, state: z.enum(machineStates) });
const operator = z.object({
  id,
  at,
  type: z.literal("operator"),
  machineId,
  operatorId: z.int().min(1),
  action: z.enum(["in", "out"]),
});
const sku = z.object({
  id,
  at,
  type: z.literal("sku"),
  machineId,
  skuId: name,
  workOrderId: name.nullish(),
});

export const sentEvent = z.discriminatedUnion("type", [count, heartbeat, state, operator, sku]);
export type SentEvent = z.infer<typeof sentEvent>;
