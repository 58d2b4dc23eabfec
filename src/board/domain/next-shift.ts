import { dayOf, wallClock, weekdayOf, weekdays } from "./days.ts";

/** A shift's definition, as in the API. */
export interface ShiftDefinition {
  name: string;
  /** Wall-clock time of the plant, "06:00". */
  start: string;
  days: readonly string[];
}

const DAY_MS = 86_400_000;

/**
 * The next shift that begins after `now` (epoch ms), on the wall clock of a zone; null if none is defined. Compares days and times as texts
 * of the plant's clock, so that clock changes need no special treatment.
 */
export function nextShift(
  shifts: readonly ShiftDefinition[],
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

/** The name of a weekday, 0..6 from Sunday. */
export function weekdayName(weekday: number, locale: string): string {
  // 1970-01-04 was a Sunday.
  return new Intl.DateTimeFormat(locale, { timeZone: "UTC", weekday: "long" }).format((3 + weekday) * DAY_MS);
}
