import { z } from "zod";
import { duration } from "./duration.ts";

/** The kinds of a signal: the types of Andon's count sensors, and what else a tag of a machine can say. */
const countKinds = ["cycle", "total", "good", "defect", "rework"] as const;

/**
 * What every signal has, whatever its source: the machine and what its values mean. Each type of source adds where the value is read (`address`,
 * `topic`, `dataItem`).
 */
export const signalMembers = {
  machine: z.string().min(1).max(100).meta({ description: "The machine's reference in Andon" }),
  kind: z.enum([...countKinds, "state", "sku", "order"]).meta({
    description: "The type of the count sensor that the signal counts for; or that its values are states, SKUs or work orders",
  }),
  reading: z
    .enum(["cumulative", "delta", "edge"])
    .default("cumulative")
    .meta({
      description: `Of counts. \`cumulative\`: a running total. \`delta\`: each value is the pulses since the one before. \`edge\`: a contact, and each
change from 0 to 1 is a pulse`,
    }),
  scale: z
    .number()
    .positive()
    .default(1)
    .meta({ description: "Pulses of one unit of the value: 0.001 for a counter of grams that counts kilograms" }),
  width: z
    .union([z.literal(16), z.literal(32), z.literal(64)])
    .optional()
    .meta({
      description: "The bits of a cumulative counter, after which it starts again at 0",
    }),
  max_per_minute: z.number().positive().optional().meta({
    description: "More pulses a minute than that are a fault and no production: they are put into quarantine",
  }),
  on_reset: z.enum(["count-new", "count-nothing"]).default("count-new").meta({
    description: "What a counter that was reset has made: what it shows since, or nothing, if it is reset to a preset",
  }),
  min_pulse: duration.optional().meta({ description: "Of edges: a shorter pulse is a bounce" }),
  min_gap: duration.optional().meta({ description: "Of edges: a pulse that follows sooner is a bounce" }),
  states: z
    .union([
      z.enum(["packml", "execution"]),
      z.record(z.string(), z.enum(["running", "idle", "down", "setup", "maintenance", "unavailable"])),
    ])
    .optional()
    .meta({
      description:
        "Of states: what each value means in Andon. `packml`: the table of PackML's 17 states. `execution`: that of MTConnect's Execution",
    }),
};

const signalSchema = z.strictObject(signalMembers);
export type SignalConfig = z.infer<typeof signalSchema>;

/** What every source has, whatever its type. */
export const sourceMembers = {
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "must be 1 to 32 lower-case letters, digits and hyphens")
    .meta({ description: "Part of the id of every event" }),
  silence: duration
    .default(30_000)
    .meta({ description: "Without an answer for so long, the source is said to be silent, and its machines have no data" }),
};
