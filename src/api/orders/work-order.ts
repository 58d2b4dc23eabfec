import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { workOrderStatuses } from "../../db/values.ts";
import { isoOf } from "../../oee/time.ts";
import { outlookOf } from "./outlook.ts";
import type { OrderRead } from "./queries.ts";

const progress = z.object({
  skuId: answerText,
  targetQuantity: z.number().nullable().openapi({ description: "Null: made for the order, but not a target of it" }),
  correct: z.number().openapi({
    description:
      "Good units, never below 0: the last total that was stated (`absolute`), plus what was reported for later and counted by the line " +
      "from then on; without a stated total, everything reported and counted",
  }),
  defects: z.number().openapi({ description: "Rejected units, in the same way" }),
  remaining: z.number().nullable().openapi({ description: "Good units still to make, never below 0; null: not a target" }),
});

/** A work order with its progress. */
export const workOrder = z
  .object({
    id: answerText,
    companyId: z.int(),
    code: answerText,
    name: answerText,
    status: z.enum(workOrderStatuses),
    priority: z.number(),
    source: answerText,
    estimatedDeliveryTime: z.iso.datetime().nullable(),
    machineIds: z.array(z.int()),
    progress: z.array(progress).openapi({ description: "Per SKU, sorted by its id" }),
    produced: z.number().openapi({ description: "Good units of all SKUs" }),
    producedOutsideShifts: z.number().openapi({
      description: "Those of them that machines counted outside every shift: reports, which are made of shifts, leave them out",
    }),
    remaining: z.number().openapi({ description: "Good units still to make for all targets" }),
    expectedAt: z.iso
      .datetime()
      .nullable()
      .openapi({
        description:
          "When the remaining units will be made at the recent rate: that of its good units per running time on its machines in the last one to " +
          "two hours. Null: it is not in progress, none of its machines runs now and makes it, or nothing remains",
      }),
    isLate: z.boolean().openapi({
      description:
        "Whether it is neither completed nor cancelled, and its `estimatedDeliveryTime` has passed or is before `expectedAt`",
    }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    deletedAt: z.iso.datetime().nullable(),
  })
  .openapi("WorkOrder");

/** The response item of a stored order. */
export function workOrderOf({ order, machineIds, targets, runs, rate }: OrderRead, now: number): z.infer<typeof workOrder> {
  const { id, companyId, code, name, status, priority, source, estimatedDeliveryAt, createdAt, updatedAt, deletedAt } = order;
  const skuIds = new Set([...targets, ...runs].map(({ skuId }) => skuId));
  const progress = [...skuIds].sort().map((skuId) => {
    const target = targets.find((one) => one.skuId === skuId);
    const counted = runs.find((one) => one.skuId === skuId);
    const targetQuantity = target?.targetQuantity ?? null;
    const correct = unitsOf([target?.reportedCorrect, counted?.correct]);
    const defects = unitsOf([target?.reportedDefects, counted?.defects]);
    return {
      skuId,
      targetQuantity,
      correct,
      defects,
      remaining: targetQuantity === null ? null : unitsOf([targetQuantity, -correct]),
    };
  });
  const remaining = unitsOf(progress.map((one) => one.remaining ?? 0));
  const { expectedAt, isLate } = outlookOf({ status, dueAt: estimatedDeliveryAt, remaining, rate }, now);
  return {
    id,
    companyId,
    code,
    name,
    status,
    priority,
    source,
    estimatedDeliveryTime: isoOf(estimatedDeliveryAt),
    machineIds: machineIds.toSorted((a, b) => a - b),
    progress,
    produced: unitsOf(progress.map(({ correct }) => correct)),
    producedOutsideShifts: unitsOf(runs.map(({ outsideShifts }) => outsideShifts)),
    remaining,
    expectedAt: isoOf(expectedAt),
    isLate,
    createdAt: isoOf(createdAt),
    updatedAt: isoOf(updatedAt),
    deletedAt: isoOf(deletedAt),
  };
}

/**
 * A sum of units, rounded to six decimals. Late events may reduce the line's counts below corrections that people have reported; the sum
 * is 0 then.
 */
function unitsOf(parts: readonly (number | undefined)[]): number {
  const sum = parts.reduce<number>((units, part = 0) => units + part, 0);
  return Math.max(0, Math.round(sum * 1e6) / 1e6);
}
