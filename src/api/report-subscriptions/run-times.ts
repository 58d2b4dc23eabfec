import { DAY_MS, type Interval, MINUTE_MS, minuteOfDay, type Weekday, weekdayOf } from "../../oee/time.ts";
import { isSkipped, localDay, localInterval, localToUtc, wallTime } from "../../oee/zone.ts";

// The run times of reports, and their periods. Pure: instants in epoch ms, days and times of the wall clock in the company's time zone.

/** The members of a subscription that determine its run times. */
export interface RunTimes {
  kind: "shift" | "daily" | "weekly";
  /** `HH:mm`; null only for `shift`. */
  time: string | null;
  /** Null: all days. */
  weekdays: readonly Weekday[] | null;
  isActive: boolean;
}

const weekMs = 7 * DAY_MS;
/** One of seven days is a run day; a zone may skip that day once. */
const DAYS_AHEAD = 15;

/** The first run after an instant; null: it does not run by the clock, or at all. If a night has the time twice, it runs at the first one. */
export function nextRunAfter(timezone: string, { kind, time, weekdays, isActive }: RunTimes, after: number): number | null {
  if (!isActive || kind === "shift" || time === null) return null;
  const today = localDay(timezone, after);
  // Yesterday's run may still be ahead, if the clock skips its time at midnight.
  for (let day = today - 1; day <= today + DAYS_AHEAD; day++) {
    if ((weekdays && !weekdays.includes(weekdayOf(day))) || isSkipped(timezone, day)) continue;
    const at = localToUtc(timezone, day, minuteOfDay(time));
    if (at > after) return at;
  }
  return null;
}

/** The period of a run at an instant: the local day before it, or the seven days before it. */
export function periodBefore(timezone: string, kind: "daily" | "weekly", at: number): Interval {
  const day = localDay(timezone, at);
  return { start: localToUtc(timezone, day - (kind === "daily" ? 1 : 7), 0), end: localToUtc(timezone, day, 0) };
}

/**
 * The newest whole period at an instant: that of a run on the last of its weekdays so far, today included. Of a weekly report on Mondays, it is
 * the seven days before the last Monday.
 */
export function newestPeriodOf(
  timezone: string,
  { kind, weekdays }: { kind: "daily" | "weekly" } & Pick<RunTimes, "weekdays">,
  at: number,
) {
  const today = localDay(timezone, at);
  const isRunDay = (day: number) => weekdays === null || weekdays.includes(weekdayOf(day));
  const runDay = [0, 1, 2, 3, 4, 5, 6].map((days) => today - days).find(isRunDay) ?? today;
  return periodBefore(timezone, kind, localToUtc(timezone, runDay, 0));
}

/** The same time a week before, by the wall clock: a shift from 22:00 to 06:00 is compared with the same shift, despite clock changes. */
export function weekBefore(timezone: string, { start, end }: Interval): Interval {
  const wallAt = (at: number) => wallTime(timezone, at) - weekMs;
  const from = wallAt(start);
  // In the hour that the clock repeats, the end may show an earlier time than the start.
  const to = wallAt(end) > from ? wallAt(end) : from + end - start;
  const day = Math.floor(from / DAY_MS);
  const minuteOf = (wall: number) => (wall - day * DAY_MS) / MINUTE_MS;
  // A day that the zone skipped has no time to compare with.
  return localInterval(timezone, day, minuteOf(from), minuteOf(to)) ?? { start: start - weekMs, end: start - weekMs };
}
