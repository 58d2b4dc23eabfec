import { z } from "zod";
import { signalMembers, sourceMembers } from "../../config/signal.ts";
import { pathOf } from "../payload.ts";
import { brokerMembers, brokerProblem } from "./broker.ts";

const topic = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[^+#\0]*$/, "must be the topic of one machine, without + and #: each machine has a signal of its own")
  .regex(/^(?!\$share\/)/, "must not be shared: another client would get some of its messages");
const path = z
  .string()
  .min(1)
  .max(256)
  .refine((text) => pathOf(text) !== null, 'must be a path in a JSON document, such as "$.counters.total" or "a.b[0]"');

/** Machines that publish their values to a broker of MQTT. */
export const mqttConfig = z
  .strictObject({
    ...sourceMembers,
    ...brokerMembers,
    type: z.literal("mqtt"),
    qos: z
      .union([z.literal(0), z.literal(1), z.literal(2)])
      .default(1)
      .meta({
        description:
          "What the bridge asks the broker for. 1: each message comes until the bridge has stored it. 0: it comes once, or not",
      }),
    alive: z
      .enum(["messages", "connection"])
      .default("messages")
      .meta({
        description: `By what a machine is known to be there. \`messages\`: by what it publishes, at least once in \`silence\`. \`connection\`: as long as the
broker answers, for machines that publish nothing while they stand`,
      }),
    signal: z
      .array(
        z.strictObject({
          ...signalMembers,
          topic: topic.meta({ description: "The topic, without wildcards" }),
          path: path
            .optional()
            .meta({ description: "Where the value is in a payload of JSON. Left out: the payload is the value" }),
          time_path: path.optional().meta({ description: "Where the payload has the time of the value, by the machine's clock" }),
          sequence_path: path.optional().meta({
            description: "Where the payload has the number of the message, one higher each time: by it, loss is seen",
          }),
        }),
      )
      .min(1)
      .max(2000),
  })
  .superRefine((config, context) => {
    const problem = brokerProblem(config);
    if (problem) context.addIssue({ code: "custom", message: problem });
  });
export type MqttConfig = z.infer<typeof mqttConfig>;
export type MqttSignal = MqttConfig["signal"][number];
