import type { Interval } from "./time.ts";
import { localDay } from "./zone.ts";

/** The day for which a shift counts: each hour for the calendar day that it is in, or the whole shift for the day on which it starts or ends. */
export const productionDays = ["calendarDay", "shiftStart", "shiftEnd"] as const;
export type ProductionDay = (typeof productionDays)[number];

export const weekStarts = ["monday", "sunday"] as const;
export type WeekStart = (typeof weekStarts)[number];

/** The local day for which a whole shift counts, in days since 1970-01-01; null: each of its hours counts for its calendar day. */
export function productionDayOf(productionDay: ProductionDay, timezone: string, shift: Interval): number | null {
  if (productionDay === "calendarDay") return null;
  // A shift that ends at midnight ends on the day before.
  return localDay(timezone, productionDay === "shiftStart" ? shift.start : shift.end - 1);
}
