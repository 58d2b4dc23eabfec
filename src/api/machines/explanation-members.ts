import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { namedRef, shiftRef } from "../../core/refs.ts";
import { classification } from "../reports/stop-item.ts";
import { explainedIndicators, explainedMetrics } from "./shift-numbers.ts";

const stopBehind = z.object({
  id: z.int().nullable().openapi({ description: "Null until a new stop has its id, for less than a second" }),
  name: answerText,
  classification: classification.nullable(),
});
const segment = z.object({
  startTime: z.iso.datetime(),
  endTime: z.iso.datetime(),
  durationInMinutes: z.number(),
  durationMs: z.int(),
  bucket: z.enum(["available", "noData", "programmed", "nonProgrammed", "other"]),
  stop: stopBehind.nullable().openapi({ description: "The stop of this time; null without one" }),
});
const skuCounts = z.object({
  skuId: answerText.nullable().openapi({ description: "Null: counted while no SKU was set" }),
  cycles: z.int(),
  total: z.number().openapi({ description: "Units, to 6 decimals" }),
  defects: z
    .number()
    .openapi({ description: "Units, to 6 decimals; may be more than `total`: units are rejected where it is reported" }),
  cyclesWithStandard: z.int().openapi({ description: "Cycles made while a standard was in force" }),
  standardCycleSeconds: z.number().nullable().openapi({ description: "The average over those cycles; null without any" }),
  idealMinutes: z.number().openapi({ description: "Those cycles times their standards, two decimals" }),
  idealMs: z.number(),
  lostByDefectsMs: z.number().openapi({
    description: `Standard time of the defects: the average of the SKU's units each. Those beyond the SKU's units in the shift were made before the shift,
or as the SKU before: each costs the standard time of a unit of its own SKU, in force when it was reported`,
  }),
  unitsWithoutTime: z.number().openapi({
    description: `Units of \`total\` of which nobody knows when they were made: they came with the first count after a time without data, which
did not say its \`since\`. idealMs and cyclesWithStandard do not contain them`,
  }),
});
const explainedCorrection = z.object({
  id: z.int().openapi({ description: "As in `GET /v1/corrections`" }),
  at: z.iso.datetime(),
  skuId: answerText.nullable(),
  workOrderId: answerText.nullable(),
  total: z.number().openapi({ description: "Units that were added; below 0: taken away" }),
  defects: z.number().openapi({ description: "Defects that were added, rework included; below 0: taken away" }),
  appliedTotal: z
    .number()
    .openapi({ description: "By how much it changes the total: less than `total` if less was counted than it takes away" }),
  appliedDefects: z.number(),
});
/** The numbers of a shift, with their formulas and inputs. */
export const explanation = z
  .object({
    machine: namedRef,
    shift: shiftRef,
    indicatorId: z.int().nullable().openapi({ description: "As in the report of metrics; null until the report has the shift" }),
    asOf: z.iso.datetime().openapi({ description: "The end of the shift or of the machine's service, or now" }),
    segments: z.array(segment).openapi({ description: "In order and without gaps: each moment is in exactly one" }),
    skus: z.array(skuCounts).openapi({ description: "What was counted, without corrections" }),
    corrections: z
      .array(explainedCorrection)
      .openapi({ description: "What people corrected, in the order in which it was entered" }),
    shiftIndicators: explainedIndicators,
    productionMetrics: explainedMetrics,
  })
  .openapi("ShiftExplanation");

export const aboutExplanation = `The ledger segment by segment, the counts, and each published number with its formula and what goes into it. \`round\`
rounds half up to that many decimals; a division by zero gives 0, and a quality of 0 / 0 is 1. idealMs, cyclesWithStandard,
cycles, total, defects and lostByDefectsMs are the sums over the SKUs, plus what \`corrections\` change: a unit that they add to the total or to the
defects counts with the standard time of a unit in its part of the shift for idealMs or lostByDefectsMs, and cyclesWithStandard grow as idealMs do;
recentUnits were counted in recentMs, the last 10 minutes of available time (less where there is less).`;
