import { z } from "@hono/zod-openapi";
import { paged } from "../../../core/cursor.ts";
import { instant, machineMembers } from "../../../core/inputs.ts";

/** The query parameters of an operator's shifts: paged by start and machine. */
export const operatorShiftsQuery = paged(z.tuple([z.int(), z.int()])).extend({
  from: instant.optional().openapi({
    description:
      "Shifts that start at or after this; if it is a local midnight, those that count for this production day or a later one",
  }),
  to: instant.optional().openapi({
    description: "Shifts that start before this; if it is a local midnight, those that count for an earlier production day",
  }),
  ...machineMembers,
});
export type OperatorShiftsQuery = z.infer<typeof operatorShiftsQuery>;

/** The query parameters of the operators of a shift record: paged by operator. */
export const recordOperatorsQuery = paged(z.tuple([z.int()]));
export type RecordOperatorsQuery = z.infer<typeof recordOperatorsQuery>;
