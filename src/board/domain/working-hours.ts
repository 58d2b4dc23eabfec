import { startOfDay, wallClock, weekdays } from "./days.ts";
import type { ShiftTimes } from "./shifts.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./time.ts";
import { clockOf, DAY_MINUTES, HOUR_MINUTES, minutesOf, spanOf, wrapped } from "./week.ts";

// What is said of working hours, and how the edges of a shift are moved.

/** An edge is moved in steps of so many minutes. */
export const EDGE_STEP = 5;

/** The hours of a week in which at least one shift runs. Breaks are in them. */
export function hoursAWeek(shifts: readonly ShiftTimes[]): number {
  const week = 7 * DAY_MINUTES;
  const spans = shifts
    .flatMap((shift) => {
      const { from, length } = spanOf(shift);
      return shift.days.map((day) => weekdays.indexOf(day) * DAY_MINUTES + from).map((at) => ({ at, end: at + length }));
    })
    .flatMap(({ at, end }) =>
      end > week
        ? [
            { at, end: week },
            { at: 0, end: end - week },
          ]
        : [{ at, end }],
    )
    .sort((a, b) => a.at - b.at);
  let [minutes, until] = [0, 0];
  for (const { at, end } of spans) {
    minutes += Math.max(0, end - Math.max(at, until));
    until = Math.max(until, end);
  }
  return minutes / HOUR_MINUTES;
}

export type Edge = "start" | "end";

/** The times of a shift whose edge is moved by minutes: to a whole step, and not so that it lasts less than a step or more than a day. */
export function edgeMoved(times: Pick<ShiftTimes, Edge>, edge: Edge, by: number): Pick<ShiftTimes, Edge> {
  const { from, length } = spanOf(times);
  const at = edge === "start" ? from : from + length;
  const to = Math.round((at + by) / EDGE_STEP) * EDGE_STEP;
  const [least, most] =
    edge === "start" ? [from + length - DAY_MINUTES, from + length - EDGE_STEP] : [from + EDGE_STEP, from + DAY_MINUTES];
  return { ...times, [edge]: clockOf(Math.min(Math.max(to, least), most)) };
}

/** How the clocks of a zone change on a day: from a time to another one; null: they do not. */
export function clockChangeOn(day: string, zone: string): { from: string; to: string } | null {
  const start = startOfDay(day, zone);
  const clockAt = (at: number) => wallClock(at, zone).slice(11, 16);
  // Clocks change at full or half hours.
  const step = HOUR_MS / 2;
  for (let at = start; at < start + DAY_MS + HOUR_MS && wallClock(at, zone).startsWith(day); at += step) {
    const to = clockAt(at + step);
    const expected = clockOf((minutesOf(clockAt(at)) ?? 0) + step / MINUTE_MS);
    if (to !== expected) return { from: expected, to };
  }
  return null;
}

/** The names of the shifts that run on a day while its clocks show a time; also those that began on the day before. */
export function runningAt<S extends ShiftTimes & { name: string }>(
  shifts: readonly S[],
  weekday: number,
  clock: string,
): string[] {
  const at = minutesOf(clock) ?? 0;
  const runs = (shift: S) => {
    const { from, length } = spanOf(shift);
    const startsOn = (day: number) => shift.days.includes(weekdays[wrapped(day, 7)] ?? "");
    const isSame = startsOn(weekday) && at >= from && at < from + length;
    return isSame || (startsOn(weekday - 1) && at + DAY_MINUTES < from + length);
  };
  return shifts.filter(runs).map(({ name }) => name);
}
