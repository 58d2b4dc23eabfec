import type { orderRuns, roster, shiftRecords, stops } from "../db/schema.ts";

type Stamps = "createdAt" | "updatedAt" | "revision";

/** A row for D1, without the columns that the flush adds. */
export type RecordRow = Omit<typeof shiftRecords.$inferInsert, Stamps>;
export type StopRow = Omit<typeof stops.$inferInsert, Stamps>;
/** A stop's row as it is in D1. */
export type StopSlice = Omit<typeof stops.$inferSelect, "revision">;
export type RosterRow = Omit<typeof roster.$inferInsert, "revision">;
export type RunRow = Omit<typeof orderRuns.$inferInsert, "revision">;
