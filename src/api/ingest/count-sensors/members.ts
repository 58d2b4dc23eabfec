import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { channelTypes } from "../../../db/values.ts";
import { roundUnits } from "../../../oee/units.ts";

/** The maximum number of channels of a machine. */
export const maxChannels = 64;

const number = z
  .int()
  .min(0)
  .max(2 ** 31);

/** A channel and what it counts. */
export const channelConfig = z.object({
  type: z.enum(channelTypes),
  channel: number,
  nodeId: number.openapi({ description: "The gateway" }),
});

const wrapsAtDescription =
  "The total at which the counter starts again at 0: 65536 for a counter of 16 bits. Null: it does not wrap. For counts that give a running total (`reading`)";

/** The count sensors of a machine as a request of `/v1` sends them. */
export const sentSensors = z.strictObject({
  isCountEnabled: z.boolean(),
  configs: z
    .array(
      z.strictObject({
        ...channelConfig.shape,
        countingFactor: z
          .number()
          .gt(0)
          .max(1_000_000)
          .refine((factor) => roundUnits(factor) === factor, "must have 6 decimals at most")
          .openapi({ description: "Units per pulse, 6 decimals at most" }),
        wrapsAt: z.int().min(2).nullable().default(null).openapi({ description: wrapsAtDescription }),
      }),
    )
    .max(maxChannels),
});

/** The count sensors of a machine. */
export const machineSensors = z
  .object({
    machineId: z.int(),
    machineRef: answerText,
    isCountEnabled: z.boolean().openapi({ description: "False: its counts only show that data flows" }),
    configs: z
      .array(
        z.object({
          type: z.enum(channelTypes),
          countingFactor: z.number(),
          channel: z.int(),
          nodeId: z.int(),
          wrapsAt: z.int().nullable().openapi({ description: wrapsAtDescription }),
        }),
      )
      .openapi({ description: "Sorted by node and channel. One pulse of a channel is `countingFactor` units" }),
  })
  .openapi("CountSensors");

/** Configs sorted by node and channel. */
export function inOrder<C extends { nodeId: number; channel: number }>(configs: readonly C[]): C[] {
  return configs.toSorted((a, b) => a.nodeId - b.nodeId || a.channel - b.channel);
}
