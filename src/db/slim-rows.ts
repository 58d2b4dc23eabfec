import { getTableColumns } from "drizzle-orm";
import { stops } from "./schema.ts";

// Machines' rows as they are stored. Most instants of a row are near another one, so they are stored as the difference, which takes half of the
// bytes. The tables compute the instants from them (`generatedAlwaysAs` in schema/ledger.ts), so whoever reads does not see any of this.

interface PartTimes {
  startAt: number;
  endAt: number;
  shiftStart: number;
  shiftEnd: number;
  hourStart: number;
}

/** The columns of a shift's part. */
export function slimPart<Row extends PartTimes>({ endAt, shiftStart, shiftEnd, hourStart, ...row }: Row) {
  return {
    ...row,
    durationMs: endAt - row.startAt,
    intoShiftMs: row.startAt - shiftStart,
    shiftLeftMs: shiftEnd - row.startAt,
    intoHourMs: row.startAt - hourStart,
  };
}

interface StopTimes {
  shiftStart: number;
  shiftEnd: number;
  startAt: number;
  endAt?: number | null | undefined;
  sliceStart: number;
  sliceEnd?: number | null | undefined;
  classifiedAt?: number | null | undefined;
  createdAt: number;
  updatedAt: number;
}

/** The columns of a stop's slice. */
export function slimStop<Row extends StopTimes>(slice: Row) {
  const { shiftEnd, startAt, endAt = null, sliceEnd = null, classifiedAt = null, createdAt, updatedAt, ...row } = slice;
  const { shiftStart, sliceStart } = row;
  return {
    ...row,
    shiftMs: shiftEnd - shiftStart,
    sliceMs: msAfter(sliceStart, sliceEnd),
    beforeSliceMs: sliceStart - startAt,
    durationMs: msAfter(startAt, endAt),
    classifiedAfterMs: msAfter(shiftStart, classifiedAt),
    createdAfterMs: createdAt - shiftStart,
    updatedAfterMs: updatedAt - shiftStart,
  };
}

function msAfter(from: number, at: number | null): number | null {
  return at === null ? null : at - from;
}

const { shiftMs, sliceMs, beforeSliceMs, durationMs, classifiedAfterMs, createdAfterMs, updatedAfterMs, ...shown } =
  getTableColumns(stops);
/** The columns of `stops` without the differences. */
export const stopColumns = shown;
export type Stop = Omit<
  typeof stops.$inferSelect,
  "shiftMs" | "sliceMs" | "beforeSliceMs" | "durationMs" | "classifiedAfterMs" | "createdAfterMs" | "updatedAfterMs"
>;
