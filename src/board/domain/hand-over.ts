import { addDays, instantAt, startOfDay } from "./days.ts";
import { type ShiftTimes, shiftsOn } from "./shifts.ts";

// Which shift a hand-over is about, and how its figures are compared with those of now.

interface KnownShift extends ShiftTimes {
  id: number;
}

/** A shift of a date. */
export interface ShiftOfDate<T> {
  shift: T;
  date: string;
}

/**
 * The shift that a page of hand-overs begins with: of those that start on a day, the last one that has begun by `now` (epoch ms), or the first one; null:
 * none starts then.
 * @param reachesBack whether the shift may be one of the day before: today, or if nobody has chosen the day
 */
export function shiftToHandOver<T extends KnownShift>(
  shifts: readonly T[],
  day: string,
  zone: string,
  now: number,
  reachesBack: boolean,
): ShiftOfDate<T> | null {
  const days = reachesBack ? [addDays(day, -1), day] : [day];
  const all = days.flatMap((date) => {
    const time = { start: startOfDay(date, zone) - 1, end: startOfDay(addDays(date, 1), zone) };
    return shiftsOn(shifts, date).flatMap((shift) => {
      const at = instantAt(shift.start, time, zone);
      return at === null ? [] : [{ shift, date, at }];
    });
  });
  all.sort((a, b) => b.at - a.at);
  const found = all.find(({ at }) => at <= now) ?? all[all.length - 1];
  return found ? { shift: found.shift, date: found.date } : null;
}

/** Where made units stand against their target: a difference of less than 3 % of it is neither. */
export function standingOf({ total, target }: { total: number; target: number }): "ahead" | "behind" | "even" {
  if (target <= 0) return "even";
  if (total > target) return "ahead";
  return total < 0.97 * target ? "behind" : "even";
}

/** The lines of a text, without blank ones. */
export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
