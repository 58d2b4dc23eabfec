import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { idOrNull, instant, multilineText, text } from "../../core/inputs.ts";
import { namedRef } from "../../core/refs.ts";
import { isoOf } from "../../oee/time.ts";
import { roundUnits } from "../../oee/units.ts";
import { FUTURE_LIMIT_MS } from "../ingest/event.ts";
import type { CorrectionRow } from "./queries.ts";

const MOST_UNITS = 2 ** 40;

const timestamp = z.iso.datetime();
const sentUnits = z.number().min(-MOST_UNITS).max(MOST_UNITS).default(0).transform(roundUnits);
const sent = (description: string) =>
  sentUnits.openapi({ type: "number", minimum: -MOST_UNITS, maximum: MOST_UNITS, default: 0, description });

/** The body of a new correction. */
export const newCorrection = z
  .object({
    machineId: z.int().min(1),
    at: instant
      .refine((at) => at <= Date.now() + FUTURE_LIMIT_MS, "is more than 5 minutes ahead")
      .openapi({
        type: "string",
        format: "date-time",
        description: "When the units were made. They count for the shift of this instant, and its operators",
      }),
    skuId: text(100).min(1).nullable().default(null).openapi({
      description: "The SKU of the units. Default: the SKU in work at `at`. The machine must have made it in that shift",
    }),
    workOrderId: text(100).min(1).nullable().default(null).openapi({
      description:
        "The order that they are for: that in work at `at` by default. The machine must have worked on it in that shift",
    }),
    total: sent("Units made, good or not, that are added; below 0: taken away. To 6 decimals"),
    defects: sent("Of the units made, how many more are rejected; below 0: fewer. To 6 decimals"),
    rework: sent("Like `defects`, of units that are to be made good: they count as defects, too"),
    reasonId: idOrNull("The defect reason of `defects` and `rework`").default(null),
    comment: multilineText(2000).nullable().default(null),
  })
  .refine(({ total, defects, rework }) => total !== 0 || defects !== 0 || rework !== 0, {
    message: "needs units: one of total, defects and rework that is not 0",
  })
  .refine(({ reasonId, defects, rework }) => reasonId === null || defects !== 0 || rework !== 0, {
    path: ["reasonId"],
    message: "is a reason of defects: there are none",
  });
export type SentCorrection = z.infer<typeof newCorrection>;

/** A correction as answers show it. */
export const correction = z
  .object({
    id: z.int(),
    machine: namedRef,
    at: timestamp,
    sku: z.object({ id: answerText, name: answerText }).nullable().openapi({ description: "Null: no SKU was set" }),
    workOrder: z
      .object({ id: answerText, code: answerText, name: answerText })
      .nullable()
      .openapi({ description: "Null: it was made for none" }),
    total: z.number(),
    defects: z.number(),
    rework: z.number(),
    reason: namedRef.nullable(),
    comment: answerText.nullable(),
    appliedTotal: z.number().openapi({ description: "By how much it changes the total of its shift" }),
    appliedDefects: z.number().openapi({ description: "By how much it changes the defects of its shift, rework included" }),
    isAppliedInPart: z.boolean().openapi({
      description: `Whether less is applied than was entered. It happens when the counts change later: then there may be fewer units than it takes
away, or the machine did not make the SKU in the shift, or has no shift at that time any more`,
    }),
    userId: z.int().openapi({ description: "Who entered it" }),
    createdAt: timestamp,
    undoneAt: timestamp.nullable().openapi({ description: "Null: it counts" }),
    undoneBy: z.int().nullable().openapi({ description: "The user who undid it" }),
  })
  .openapi("Correction");

type Shown = Omit<CorrectionRow, "revision" | "updatedAt">;

export function correctionOf(row: Shown): z.infer<typeof correction> {
  const { id, machineId, skuId, workOrderId, total, defects, rework, reasonId, appliedTotal, appliedDefects, undoneAt } = row;
  const isApplied = appliedTotal === total && appliedDefects === roundUnits(defects + rework);
  return {
    id,
    machine: { name: row.machineName ?? "", id: machineId },
    at: isoOf(row.at),
    sku: skuId === null ? null : { id: skuId, name: row.skuName ?? "" },
    workOrder: workOrderId === null ? null : { id: workOrderId, code: row.workOrderCode ?? "", name: row.workOrderName ?? "" },
    total,
    defects,
    rework,
    reason: reasonId === null ? null : { name: row.reasonName ?? "", id: reasonId },
    comment: row.comment,
    appliedTotal,
    appliedDefects,
    isAppliedInPart: undoneAt === null && !isApplied,
    userId: row.userId,
    createdAt: isoOf(row.createdAt),
    undoneAt: isoOf(undoneAt),
    undoneBy: row.undoneBy,
  };
}
