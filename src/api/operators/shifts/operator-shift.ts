import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { namedRef, shiftRef, shiftRefOf } from "../../../core/refs.ts";
import { availabilityRatio, toMinutes, toPercent } from "../../../oee/metrics.ts";
import type { OperatorShiftRow } from "./queries.ts";

/** The numbers of an operator in a shift of a machine. */
export const operatorShift = z
  .object({
    operator: namedRef,
    machine: namedRef,
    shift: shiftRef,
    indicatorId: z
      .int()
      .nullable()
      .openapi({ description: "The id of the shift record; null until the record exists, seconds after the shift's start" }),
    uptime: z.number().openapi({ description: "Minutes, two decimals: available while signed in" }),
    downtime: z.number().openapi({ description: "Minutes, two decimals: unavailable while signed in" }),
    availability: z.number().openapi({ description: "Percent, two decimals: uptime / (uptime + downtime)" }),
    production: z.number().openapi({ description: "Units, to 6 decimals" }),
    sku: z.object({ id: answerText, name: answerText }).nullable().openapi({ description: "Of the operator's latest units" }),
  })
  .openapi("OperatorShift");

/** The response item of a row as of `now` (epoch ms). */
export function operatorShiftOf(row: OperatorShiftRow, now: number): z.infer<typeof operatorShift> {
  return {
    operator: { name: row.operatorName, id: row.operatorId },
    machine: { name: row.machineName, id: row.machineId },
    shift: shiftRefOf(row, { start: row.shiftStart, end: row.shiftEnd }, now),
    indicatorId: row.recordId,
    uptime: toMinutes(row.uptimeMs),
    downtime: toMinutes(row.downtimeMs),
    availability: toPercent(availabilityRatio(row.uptimeMs, row.downtimeMs)),
    production: row.units,
    sku: row.skuId === null ? null : { id: row.skuId, name: row.skuName ?? "" },
  };
}
