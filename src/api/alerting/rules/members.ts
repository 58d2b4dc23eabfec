import { z } from "@hono/zod-openapi";
import { unknownVariables } from "../../../channels/texts/template.ts";
import { distinct, multilineText, text } from "../../../core/inputs.ts";

const MOST_MINUTES = 24 * 60;

const minutes = (least: number, description: string) => z.int().min(least).max(MOST_MINUTES).openapi({ description });
const percent = (description: string, most = 100) => z.number().gt(0).max(most).openapi({ description });
const afterMinutes = z.int().min(0).max(MOST_MINUTES).openapi({
  description: "The rule applies after this many minutes of the shift",
});

/** The condition that each kind of rule looks for. */
export const when = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("stop"), minutes: minutes(1, "A stop that was not planned lasts longer than this") }),
    z.object({
      kind: z.literal("cause"),
      causeIds: distinct(z.int().min(1)).min(1).openapi({ description: "General or specific causes, or components" }),
      minutes: minutes(0, "A stop with one of the causes lasts longer than this"),
    }),
    z.object({
      kind: z.literal("not_running"),
      minutes: minutes(1, "The machine has not run in so many minutes since its shift began, without planned stops"),
    }),
    z.object({ kind: z.literal("no_data"), minutes: minutes(1, "No data from the machine for longer than this") }),
    z.object({
      kind: z.literal("unclassified"),
      minutes: minutes(1, "A stop that was not planned has no cause for longer than this, while it lasts"),
    }),
    z.object({
      kind: z.literal("short_stops"),
      count: z.int().min(1).max(1000).openapi({ description: "More stops of under five minutes than this ended within an hour" }),
    }),
    z.object({ kind: z.literal("oee"), percent: percent("The shift's OEE is below this"), afterMinutes }),
    z.object({ kind: z.literal("availability"), percent: percent("The shift's availability is below this"), afterMinutes }),
    z.object({
      kind: z.literal("defects"),
      percent: percent("More of the shift's units than this are rejected", 99.9),
      units: z
        .int()
        .min(1)
        .max(1_000_000)
        .openapi({ description: "The least number of units in the shift for the rule to apply" }),
    }),
    z.object({ kind: z.literal("order_late") }).openapi({ description: "A work order is expected to be late" }),
    z.object({ kind: z.literal("help") }).openapi({ description: "Somebody calls for help" }),
    z.object({
      kind: z.literal("gateway_silent"),
      seconds: z
        .int()
        .min(60)
        .max(60 * MOST_MINUTES)
        .openapi({ description: "A gateway that has reported before has not for longer than this" }),
    }),
    z.object({
      kind: z.literal("gateway_queue"),
      minutes: minutes(1, "An event waits in a gateway's queue for longer than this: 5 is usual"),
    }),
    z.object({
      kind: z.literal("gateway_clock"),
      minutes: minutes(1, "A gateway's clock is more than this ahead or behind: 2 is usual"),
    }),
  ])
  .openapi("AlertCondition");

export type When = z.infer<typeof when>;

const level = z.object({
  afterMinutes: z
    .int()
    .min(0)
    .max(7 * MOST_MINUTES)
    .openapi({ description: "Minutes between the opening of the incident and this level" }),
  personaIds: distinct(text(100)),
  chatRoomIds: distinct(text(100)),
});

/** The recipients of a rule, and when they are notified. */
export const levels = z
  .array(level)
  .max(10)
  .superRefine((list, c) => {
    for (const [i, { afterMinutes: after }] of list.entries()) {
      const path = [i, "afterMinutes"];
      const before = list[i - 1]?.afterMinutes;
      if (before === undefined && after !== 0) c.addIssue({ code: "custom", path, message: "must be 0 at the first level" });
      if (before !== undefined && after <= before) {
        c.addIssue({ code: "custom", path, message: "must be more than at the level before" });
      }
    }
  })
  .openapi({
    description: `Escalation levels. The first is notified immediately, each further one if nobody has acknowledged the incident by then. Personas
whose \`alertIds\` contain the rule's id are notified with the first level.`,
  });

const ownText = multilineText(500)
  .min(1)
  .superRefine((template, c) => {
    for (const name of unknownVariables(template)) {
      c.addIssue({ code: "custom", message: `is not a variable: {${name}}` });
    }
    if (/[{}]/.test(template.replaceAll(/\{[^{}]*\}/g, ""))) c.addIssue({ code: "custom", message: "has an unmatched brace" });
  });

export const texts = z
  .object({ en: ownText, es: ownText })
  .nullable()
  .openapi({
    description:
      "Replaces the usual text of the messages; null: the usual text. Variables: {rule} {machine} {line} {minutes} {cause} {message} {value} {threshold} {since}",
    example: { en: "{machine} stands since {since}", es: "{machine} parada desde {since}" },
  });
