import { addDays, dayOf, type Interval, instantAt, startOfDay, wallClock, weekdayOf, weekdays } from "./days.ts";

// The shifts of a plant, as they are defined: which one runs, which is next, and for which day they count.

/** The used members of a shift's definition: wall-clock times of the plant, and weekdays in English. */
export interface ShiftTimes {
  start: string;
  end: string;
  days: readonly string[];
}

/** What is shown of a shift before it begins. */
export type NamedShift = Pick<ShiftTimes, "start" | "days"> & { name: string };

/** The shifts that start on the weekday of a day. */
export function shiftsOn<T extends Pick<ShiftTimes, "days">>(shifts: readonly T[], day: string): T[] {
  return shifts.filter(({ days }) => days.includes(weekdays[weekdayOf(day)] ?? ""));
}

/**
 * The start of the shift that began on the day before and has not ended at `now` (epoch ms), if no shift of the present day has begun; null:
 * there is none.
 */
export function nightShiftStart(shifts: readonly ShiftTimes[], zone: string, now: number): number | null {
  const today = dayOf(now, zone);
  const yesterday = addDays(today, -1);
  const time = wallClock(now, zone).slice(11, 16);
  const isRunning = ({ start, end }: ShiftTimes) => start <= time && (end <= start || time < end);
  if (shiftsOn(shifts, today).some(isRunning)) return null;
  const nights = shiftsOn(shifts, yesterday).filter(({ start, end }) => end <= start && time < end);
  const starts = nights.flatMap(
    ({ start }) => instantAt(start, { start: startOfDay(yesterday, zone) - 1, end: now }, zone) ?? [],
  );
  return starts.sort((a, b) => a - b)[0] ?? null;
}

/** The day for which a shift counts: each of its hours for its calendar day, or the whole shift for the day on which it starts or ends. */
export type ProductionDay = "calendarDay" | "shiftStart" | "shiftEnd";

/** The day for which a whole shift counts. */
export function dayOfShift(productionDay: Exclude<ProductionDay, "calendarDay">, { start, end }: Interval, zone: string): string {
  // A shift that ends at midnight ends on the day before.
  return dayOf(productionDay === "shiftEnd" ? end - 1 : start, zone);
}

/** The production day at `now` (epoch ms): the day for which the running shift counts, or the calendar day if no shift is running. */
export function todayOf(productionDay: ProductionDay, shifts: readonly ShiftTimes[], zone: string, now: number): string {
  const today = dayOf(now, zone);
  if (productionDay === "shiftStart") return nightShiftStart(shifts, zone, now) === null ? today : addDays(today, -1);
  if (productionDay === "calendarDay") return today;
  const time = wallClock(now, zone).slice(11, 16);
  const isNight = ({ start, end }: ShiftTimes) => end <= start && end !== "00:00" && start <= time;
  return shiftsOn(shifts, today).some(isNight) ? addDays(today, 1) : today;
}

/** Whether a shift is running at `now` (epoch ms). */
function isShiftRunning(shifts: readonly ShiftTimes[], zone: string, now: number): boolean {
  const today = dayOf(now, zone);
  const time = wallClock(now, zone).slice(11, 16);
  const began = shiftsOn(shifts, today).some(({ start, end }) => start <= time && (end <= start || time < end));
  return began || shiftsOn(shifts, addDays(today, -1)).some(({ start, end }) => end <= start && time < end);
}

/** The day of the brief: that of the running shift, or the last one before on which a shift begins. */
export function briefDayOf(productionDay: ProductionDay, shifts: readonly ShiftTimes[], zone: string, now: number): string {
  const today = todayOf(productionDay, shifts, zone, now);
  if (isShiftRunning(shifts, zone, now)) return today;
  const before = Array.from({ length: 7 }, (_, i) => addDays(today, -1 - i));
  return before.find((day) => shiftsOn(shifts, day).length > 0) ?? addDays(today, -1);
}

/**
 * The next shift that begins after `now` (epoch ms), on the wall clock of a zone; null if none is defined. Compares days and times as texts
 * of the plant's clock, so that clock changes need no special treatment.
 */
export function nextShift(
  shifts: readonly NamedShift[],
  timeZone: string,
  now: number,
): { name: string; start: string; weekday: number; inDays: number } | null {
  const time = wallClock(now, timeZone).slice(11, 16);
  const today = weekdayOf(dayOf(now, timeZone));
  const coming = shifts.flatMap(({ name, start, days }) =>
    days
      .map((day) => (weekdays.indexOf(day) - today + 7) % 7)
      .map((inDays) => {
        const isOver = inDays === 0 && start <= time;
        return { name, start, inDays: isOver ? 7 : inDays };
      }),
  );
  const [first] = coming.sort((a, b) => a.inDays - b.inDays || (a.start < b.start ? -1 : 1));
  return first ? { ...first, weekday: (today + first.inDays) % 7 } : null;
}
