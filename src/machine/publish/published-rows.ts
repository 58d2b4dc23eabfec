import type {
  alertConditions,
  heldEntries,
  hoursOutsideShifts,
  operatorShifts,
  orderRuns,
  shiftParts,
  shiftRecords,
} from "../../db/schema.ts";
import type { Stop } from "../../db/slim-rows.ts";

type Stamps = "createdAt" | "updatedAt" | "revision";

/** A row for D1, without the columns that the flush adds. */
export type RecordRow = Omit<typeof shiftRecords.$inferInsert, Stamps>;
export type StopRow = Omit<Stop, Stamps>;
export type PartRow = Omit<
  typeof shiftParts.$inferSelect,
  "revision" | "durationMs" | "intoShiftMs" | "shiftLeftMs" | "intoHourMs" | "workOrderNumber"
> & { workOrderId: string | null };
export type OperatorShiftRow = Omit<typeof operatorShifts.$inferSelect, "revision">;
export type RunRow = Omit<typeof orderRuns.$inferInsert, "revision">;
export type OutsideHourRow = Omit<typeof hoursOutsideShifts.$inferInsert, "revision">;
/** Without the incident, which is set when the condition is handled. A changed condition is handled again. */
export type ConditionRow = Omit<typeof alertConditions.$inferInsert, Stamps | "incidentId">;
export type HeldRow = Omit<typeof heldEntries.$inferInsert, Stamps>;
