import type { Weekday } from "../../db/values.ts";
import { DAY_MS, type Interval, isoWeekday, MINUTE_MS, minuteOfDay } from "../../oee/time.ts";
import { localToUtc, zoneOffsetMs } from "../../oee/zone.ts";

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

const HALF_DAY_MS = DAY_MS / 2;
const weekMs = 7 * DAY_MS;
/** By ISO weekday, from 1. */
const names: readonly Weekday[] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/** One of seven days is a run day; a zone may skip that day once. */
const DAYS_AHEAD = 15;

/** The first run after an instant; null: it does not run by the clock, or at all. If a night has the time twice, it runs at the first one. */
export function nextRunAfter(timezone: string, { kind, time, weekdays, isActive }: RunTimes, after: number): number | null {
  if (!isActive || kind === "shift" || time === null) return null;
  const today = localDayOf(timezone, after);
  // Yesterday's run may still be ahead, if the clock skips its time at midnight.
  for (let day = today - 1; day <= today + DAYS_AHEAD; day++) {
    const name = names[isoWeekday(day) - 1] as Weekday;
    if (weekdays && !weekdays.includes(name)) continue;
    const at = runOn(timezone, day, minuteOfDay(time));
    if (at !== null && at > after) return at;
  }
  return null;
}

/** The period of a run at an instant: the local day before it, or the seven days before it. */
export function periodBefore(timezone: string, kind: "daily" | "weekly", at: number): Interval {
  const day = localDayOf(timezone, at);
  return { start: localToUtc(timezone, day - (kind === "daily" ? 1 : 7), 0), end: localToUtc(timezone, day, 0) };
}

/** The same time a week before, by the wall clock: a shift from 22:00 to 06:00 is compared with the same shift, despite clock changes. */
export function weekBefore(timezone: string, { start, end }: Interval): Interval {
  const earlier = (at: number) => {
    const wall = at + zoneOffsetMs(timezone, at) - weekMs;
    const day = Math.floor(wall / DAY_MS);
    return localToUtc(timezone, day, (wall - day * DAY_MS) / MINUTE_MS);
  };
  return { start: earlier(start), end: earlier(end) };
}

function localDayOf(timezone: string, at: number): number {
  return Math.floor((at + zoneOffsetMs(timezone, at)) / DAY_MS);
}

/** The first instant of a day at which the clock shows at least a time; null: the zone skips the whole day. */
function runOn(timezone: string, day: number, minute: number): number | null {
  const wall = day * DAY_MS + minute * MINUTE_MS;
  const wallAt = (at: number) => at + zoneOffsetMs(timezone, at);
  const at = localToUtc(timezone, day, minute);
  const skipped = wallAt(at) - wall;
  if (skipped <= 0) return at;
  if (skipped >= HALF_DAY_MS) return null;
  // The clock was set forward during the `skipped` ms before `at`: search for the minute.
  let [before, after] = [at - skipped, at];
  while (after - before > MINUTE_MS) {
    const middle = before + Math.ceil((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (wallAt(middle) >= wall) after = middle;
    else before = middle;
  }
  return after;
}
