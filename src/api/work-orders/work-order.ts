import { z } from "@hono/zod-openapi";
import { workOrderStatuses } from "../../db/values.ts";
import { isoOf } from "../../oee/time.ts";
import type { OrderRead } from "./queries.ts";

const progress = z.object({
  skuId: z.string(),
  targetQuantity: z.number().nullable().openapi({ description: "Null: made for the order, but not a target of it" }),
  correct: z.number().openapi({
    description:
      "Good units, never below 0: the last total that was stated (`absolute`), plus what was reported for later and counted by the line " +
      "from then on; without a stated total, everything reported and counted",
  }),
  defects: z.number().openapi({ description: "Rejected units, in the same way" }),
});

/** A work order with its progress. */
export const workOrder = z
  .object({
    id: z.string(),
    companyId: z.int(),
    code: z.string(),
    name: z.string(),
    status: z.enum(workOrderStatuses),
    priority: z.number(),
    source: z.string(),
    estimatedDeliveryTime: z.iso.datetime().nullable(),
    machineIds: z.array(z.int()),
    progress: z.array(progress).openapi({ description: "Per SKU, sorted by its id" }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    deletedAt: z.iso.datetime().nullable(),
  })
  .openapi("WorkOrder");

/** The item of a stored order. */
export function workOrderOf({ order, machineIds, targets, runs }: OrderRead): z.infer<typeof workOrder> {
  const { id, companyId, code, name, status, priority, source, estimatedDeliveryAt, createdAt, updatedAt, deletedAt } = order;
  const skuIds = new Set([...targets, ...runs].map(({ skuId }) => skuId));
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
    progress: [...skuIds].sort().map((skuId) => {
      const target = targets.find((one) => one.skuId === skuId);
      const counted = runs.find((one) => one.skuId === skuId);
      return {
        skuId,
        targetQuantity: target?.targetQuantity ?? null,
        correct: sumOf(target?.reportedCorrect, counted?.correct),
        defects: sumOf(target?.reportedDefects, counted?.defects),
      };
    }),
    createdAt: isoOf(createdAt),
    updatedAt: isoOf(updatedAt),
    deletedAt: isoOf(deletedAt),
  };
}

/**
 * Rounded to six decimals. Late events may reduce the counts of the line below what people have reported against them; the total is 0
 * then.
 */
function sumOf(reported = 0, counted = 0): number {
  return Math.max(0, Math.round((reported + counted) * 1e6) / 1e6);
}
