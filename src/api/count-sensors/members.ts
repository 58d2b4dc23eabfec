import { z } from "@hono/zod-openapi";
import { channelTypes } from "../../db/values.ts";

/** So many channels a machine may have. */
export const maxChannels = 64;

const number = z
  .int()
  .min(0)
  .max(2 ** 31);

/** What a channel counts, beside its factor. */
export const channelConfig = z.object({
  type: z.enum(channelTypes),
  channel: number,
  nodeId: number.openapi({ description: "The gateway" }),
});

/** The count sensors of a machine, as they are answered. */
export const machineSensors = z
  .object({
    machineId: z.int(),
    machineRef: z.string(),
    isCountEnabled: z.boolean().openapi({ description: "False: its counts only show that data flows" }),
    configs: z
      .array(z.object({ type: z.enum(channelTypes), countingFactor: z.number(), channel: z.int(), nodeId: z.int() }))
      .openapi({ description: "One pulse of a channel is `countingFactor` units; by node and channel" }),
  })
  .openapi("CountSensors");

/** Configs in the order in which they are answered. */
export function inOrder<C extends { nodeId: number; channel: number }>(configs: readonly C[]): C[] {
  return configs.toSorted((a, b) => a.nodeId - b.nodeId || a.channel - b.channel);
}
