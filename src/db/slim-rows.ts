import { getTableColumns } from "drizzle-orm";
import { DAY_MS } from "../oee/time.ts";
import { stops } from "./schema.ts";

// Machines' rows as they are stored. Most instants of a row are near another one, so they are stored as the difference, which takes half of the
// bytes. The tables compute the instants from them (`generatedAlwaysAs` in schema/ledger.ts), so whoever reads does not see any of this.

/** What rows of versions that did not write it lack. */
interface StampedTimes {
  day?: number | null | undefined;
  recordedAt?: number | null | undefined;
}

interface PartTimes extends StampedTimes {
  startAt: number;
  endAt: number;
  shiftStart: number;
  shiftEnd: number;
  hourStart: number;
}

/** The columns of a shift's part. */
export function slimPart<Row extends PartTimes>({
  endAt,
  shiftStart,
  shiftEnd,
  hourStart,
  day = null,
  recordedAt = null,
  ...row
}: Row) {
  return {
    ...row,
    dayOffset: dayOffset(day, shiftStart),
    recordedAfterMs: msAfter(endAt, recordedAt),
    durationMs: endAt - row.startAt,
    intoShiftMs: row.startAt - shiftStart,
    shiftLeftMs: shiftEnd - row.startAt,
    intoHourMs: row.startAt - hourStart,
  };
}

/** The columns of a shift's record. */
export function slimRecord<Row extends StampedTimes & { startAt: number; updatedAt: number }>({
  day = null,
  recordedAt = null,
  ...row
}: Row) {
  return { ...row, dayOffset: dayOffset(day, row.startAt), recordedAfterMs: msAfter(row.updatedAt, recordedAt) };
}

/** The columns of an operator's share in a shift. */
export function slimOperatorShift<Row extends StampedTimes & { shiftStart: number; shiftEnd: number }>({
  day = null,
  recordedAt = null,
  ...row
}: Row) {
  return { ...row, dayOffset: dayOffset(day, row.shiftStart), recordedAfterMs: msAfter(row.shiftEnd, recordedAt) };
}

interface StopTimes extends StampedTimes {
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
  const { shiftEnd, startAt, endAt = null, sliceEnd = null, classifiedAt = null, createdAt, updatedAt, ...others } = slice;
  const { day = null, recordedAt = null, ...row } = others;
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
    dayOffset: dayOffset(day, shiftStart),
    recordedAfterMs: msAfter(updatedAt, recordedAt),
  };
}

function dayOffset(day: number | null, shiftStart: number): number | null {
  return day === null ? null : day - Math.floor(shiftStart / DAY_MS);
}

function msAfter(from: number, at: number | null): number | null {
  return at === null ? null : at - from;
}

const {
  shiftMs,
  sliceMs,
  beforeSliceMs,
  durationMs,
  classifiedAfterMs,
  createdAfterMs,
  updatedAfterMs,
  dayOffset: _dayOffset,
  recordedAfterMs: _recordedAfterMs,
  lineId: _lineId,
  day: _day,
  recordedAt: _recordedAt,
  ...shown
} = getTableColumns(stops);
/** The columns of `stops` without the differences, and without what reports read of its shift. */
export const stopColumns = shown;
export type Stop = Omit<
  typeof stops.$inferSelect,
  | "shiftMs"
  | "sliceMs"
  | "beforeSliceMs"
  | "durationMs"
  | "classifiedAfterMs"
  | "createdAfterMs"
  | "updatedAfterMs"
  | "dayOffset"
  | "recordedAfterMs"
  | "lineId"
  | "day"
  | "recordedAt"
>;
