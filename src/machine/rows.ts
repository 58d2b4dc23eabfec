import type { orderRuns, roster, shiftRecords, stops } from "../db/schema.ts";

type Stamps = "createdAt" | "updatedAt" | "revision";

/** A row for D1 without what the flush adds to it. */
export type RecordRow = Omit<typeof shiftRecords.$inferInsert, Stamps>;
export type StopRow = Omit<typeof stops.$inferInsert, Stamps>;
/** A stop's row as D1 gives it. */
export type StopSlice = Omit<typeof stops.$inferSelect, "revision">;
export type RosterRow = Omit<typeof roster.$inferInsert, "revision">;
export type RunRow = Omit<typeof orderRuns.$inferInsert, "revision">;
