import { z } from "@hono/zod-openapi";
import { namedRef, shiftRef, shiftRefOf } from "../../core/refs.ts";
import { productionMetrics, shiftIndicators } from "../../oee/metrics.ts";
import { extendSums } from "../../oee/shift-ledger.ts";
import { indicatorsOfShift, metricsOfShift } from "./metric-schemas.ts";
import type { ReportedShift } from "./queries.ts";

/** A shift occurrence of a machine with its numbers. */
export const shiftItem = z.object({
  company: namedRef,
  machine: namedRef.extend({ nodeId: z.int().openapi({ description: "The machine's gateway" }) }),
  shift: shiftRef,
  shiftIndicators: indicatorsOfShift,
  productionMetrics: metricsOfShift,
});

/** The report item of a record as of `now` (epoch ms). */
export function shiftItemOf(record: ReportedShift, now: number): z.infer<typeof shiftItem> {
  const sums = extendSums(record, Math.min(now, record.endAt));
  return {
    company: { name: record.companyName, id: record.companyId },
    machine: { nodeId: record.nodeId, name: record.machineName, id: record.machineId },
    shift: shiftRefOf(record, { start: record.startAt, end: record.endAt }, now),
    shiftIndicators: { ...shiftIndicators(sums, record.endAt <= now), indicatorId: record.id },
    productionMetrics: productionMetrics(sums, record),
  };
}
