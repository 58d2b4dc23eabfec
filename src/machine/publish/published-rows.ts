import type {
  alertConditions,
  corrections,
  eventWithdrawals,
  heldEntries,
  hoursOutsideShifts,
  operatorShifts,
  orderRuns,
  orphanedEdits,
  shiftParts,
  shiftRecords,
  shiftRevisions,
} from "../../db/schema.ts";
import type { Stop } from "../../db/slim-rows.ts";
import type { ShiftStamp } from "../../oee/shift-stamp.ts";

type Stamps = "createdAt" | "updatedAt" | "revision" | "recordedAt";

/** Columns that are stored for others (db/slim-rows.ts). */
type SlimColumns = "dayOffset" | "recordedAfterMs";

/** A row for D1, without the columns that the flush adds. */
export type RecordRow = Omit<typeof shiftRecords.$inferInsert, Stamps | SlimColumns | keyof ShiftStamp> &
  ShiftStamp & { hourlyRate?: number | null };
export type StopRow = Omit<Stop, Stamps> & ShiftStamp;
export type PartRow = Omit<
  typeof shiftParts.$inferSelect,
  Stamps | keyof ShiftStamp | "durationMs" | "intoShiftMs" | "shiftLeftMs" | "intoHourMs" | "workOrderNumber" | SlimColumns
> & { workOrderId: string | null } & ShiftStamp;
export type OperatorShiftRow = Omit<typeof operatorShifts.$inferSelect, Stamps | SlimColumns | keyof ShiftStamp> & ShiftStamp;
export type RunRow = Omit<typeof orderRuns.$inferInsert, "revision">;
export type OutsideHourRow = Omit<typeof hoursOutsideShifts.$inferInsert, "revision">;
/** Without the incident, which is set when the condition is handled. A changed condition is handled again. */
export type ConditionRow = Omit<typeof alertConditions.$inferInsert, Stamps | "incidentId">;
export type RevisionRow = Omit<typeof shiftRevisions.$inferInsert, Stamps>;
export type HeldRow = Omit<typeof heldEntries.$inferInsert, Stamps>;
export type WithdrawalRow = Omit<typeof eventWithdrawals.$inferSelect, Stamps>;
export type CorrectionRow = Omit<typeof corrections.$inferSelect, Stamps>;
export type OrphanRow = Omit<typeof orphanedEdits.$inferInsert, Stamps>;
