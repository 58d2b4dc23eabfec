import { z } from "zod";
import { lineText } from "../../core/lines.ts";
import { channelTypes } from "../../db/values.ts";
import { machineStates } from "../../oee/events.ts";

// The events that gateways send. Programs that run beside machines check them by the same schemas, so this needs nothing of the service: the
// descriptions become those of the OpenAPI document.

/** How far events may be ahead of the service's clock. */
export const FUTURE_LIMIT_MS = 5 * 60_000;

/** Machines have one name each: the number that Andon gave them, or the plant's own. */
const eitherIdOrRef = { message: "needs either machineId or machineRef", path: ["machineId"] };
const namesOneMachine = (event: { machineId?: number | undefined; machineRef?: string | undefined }) =>
  isOne(event.machineId, event.machineRef);

const name = lineText(128).min(1);
const id = name.optional().meta({
  description:
    "Makes the event count once, however often it is sent. Unique for the machine: another event with the same id is refused as `conflict`. Without one, time and content are the identity",
});
const at = z.iso.datetime({ offset: true }).meta({ description: "When it happened: ISO 8601 with Z or an offset" });
const nodeId = z.int().min(0).optional();
const machineId = z.int().min(1).optional().meta({ description: "Either this or `machineRef`" });
const machineRef = lineText(100).min(1).optional();
const refInPlaceOfId = machineRef.meta({ description: "In place of `machineId`: the machine by its ref" });

const countShape = z.object({
  id,
  at,
  since: at.optional().meta({
    description: `Start of the time in which it was counted, before \`at\`: the machine was available there for as long as the cycles take at the
standard. Without it, the time since the previous count decides. What lies before the machine's previous count, or more than 48 h before
\`at\`, is ignored`,
  }),
  type: z.literal("count"),
  nodeId: nodeId.meta({ description: "The gateway. Either this and `channel`, or `machineRef`" }),
  channel: z.int().min(0).optional().meta({ description: "Of the gateway; with `machineRef`, of the machine" }),
  machineRef: machineRef.meta({
    description:
      "In place of `nodeId`: the machine by its ref, with `sensor` or `channel`. The count is that of the channel that this names at `at`",
  }),
  sensor: z
    .enum(channelTypes)
    .optional()
    .meta({
      description: `With \`machineRef\`: the machine's count sensor of this type. If it has several of it at \`at\`, the event is refused as
\`ambiguous_channel\`: name the \`channel\``,
    }),
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
  .superRefine((event, c) => {
    const fault = placeFault(event);
    if (fault) c.addIssue({ code: "custom", path: [fault.member], message: fault.message });
  })
  .refine(({ at, since }) => since === undefined || Date.parse(since) < Date.parse(at), {
    message: "must be before `at`",
    path: ["since"],
  })
  .refine(({ value, reading }) => isOne(value, reading), {
    message: "needs either value or reading",
    path: ["value"],
  });
const heartbeat = z
  .object({
    ...{ id, at },
    type: z.literal("heartbeat"),
    nodeId: nodeId.meta({ description: "The gateway: all of its machines. Either this, `machineId` or `machineRef`" }),
    machineId: machineId.meta({ description: "Either this, `nodeId` or `machineRef`" }),
    machineRef: refInPlaceOfId,
  })
  .refine((event) => isOne(event.nodeId, event.machineId, event.machineRef), {
    message: "needs either nodeId, machineId or machineRef",
    path: ["nodeId"],
  });
const state = z
  .object({ id, at, type: z.literal("state"), machineId, machineRef: refInPlaceOfId, state: z.enum(machineStates) })
  .refine(namesOneMachine, eitherIdOrRef);
const operator = z
  .object({
    id,
    at,
    type: z.literal("operator"),
    machineId,
    machineRef: refInPlaceOfId,
    operatorId: z.int().min(1),
    action: z.enum(["in", "out"]),
  })
  .refine(namesOneMachine, eitherIdOrRef);
const sku = z
  .object({
    id,
    at,
    type: z.literal("sku"),
    machineId,
    machineRef: refInPlaceOfId,
    skuId: name,
    workOrderId: name.nullish(),
  })
  .refine(namesOneMachine, eitherIdOrRef);

export const sentEvent = z.discriminatedUnion("type", [count, heartbeat, state, operator, sku]);
export type SentEvent = z.infer<typeof sentEvent>;

type SentCount = z.infer<typeof countShape>;

/** What is wrong with the names of a count's channel; null: nothing. */
function placeFault({ nodeId, channel, machineRef, sensor }: SentCount): { member: keyof SentCount; message: string } | null {
  if (nodeId === undefined && machineRef === undefined) return { member: "nodeId", message: "needs either nodeId or machineRef" };
  if (machineRef === undefined) {
    if (sensor !== undefined) return { member: "sensor", message: "must be left out with nodeId, which needs channel" };
    return channel === undefined ? { member: "channel", message: "is required with nodeId" } : null;
  }
  if (nodeId !== undefined) return { member: "machineRef", message: "needs either nodeId or machineRef" };
  return isOne(channel, sensor) ? null : { member: "sensor", message: "needs either sensor or channel, with machineRef" };
}

/** Whether exactly one of these is there. */
function isOne(...members: unknown[]): boolean {
  return members.filter((member) => member !== undefined).length === 1;
}
