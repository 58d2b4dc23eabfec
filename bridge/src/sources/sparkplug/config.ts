import { z } from "zod";
import { signalMembers, sourceMembers } from "../../config/signal.ts";
import { brokerMembers, brokerProblem } from "../mqtt/broker.ts";

const id = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[^+#/\0]*$/, "must not contain + # or /");

/** Machines that speak Sparkplug B over a broker of MQTT. */
export const sparkplugConfig = z
  .strictObject({
    ...sourceMembers,
    ...brokerMembers,
    type: z.literal("sparkplug"),
    signal: z
      .array(
        z.strictObject({
          ...signalMembers,
          group: id.meta({ description: "The group of the edge node" }),
          node: id.meta({ description: "The edge node" }),
          device: id.optional().meta({ description: "The device behind the node. Left out: the metric is the node's own" }),
          metric: z.string().min(1).max(1024).meta({ description: "The name of the metric" }),
        }),
      )
      .min(1)
      .max(2000),
  })
  .superRefine((config, context) => {
    const problem = brokerProblem(config);
    if (problem) context.addIssue({ code: "custom", message: problem });
  });
export type SparkplugConfig = z.infer<typeof sparkplugConfig>;
