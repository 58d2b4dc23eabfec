import { type AlertHours, weekdays } from "../db/values.ts";
import { DAY_MS, minuteOfDay } from "../oee/time.ts";
import { localToUtc, zoneOffsetMs } from "../oee/zone.ts";

/**
 * Returns when somebody may next be notified, epoch ms: `now` inside their hours, otherwise the next beginning of the hours; null: never.
 * @param timezone the time zone of the hours; hours that cross midnight belong to the day on which they begin
 */
export function nextHours(hours: AlertHours, timezone: string, now: number): number | null {
  const today = Math.floor((now + zoneOffsetMs(timezone, now)) / DAY_MS);
  let next: number | null = null;
  // From yesterday, whose hours may last until today, to the same day of next week.
  for (let day = today - 1; day <= today + 7; day++) {
    const { start, end } = hours[weekdayOf(day)];
    if (start === end) continue;
    const from = localToUtc(timezone, day, minuteOfDay(start));
    const until = localToUtc(timezone, day + (end < start ? 1 : 0), minuteOfDay(end));
    if (from <= now && now < until) return now;
    if (from > now && from < until && (next === null || from < next)) next = from;
  }
  return next;
}

/** Day 0 was a Thursday. */
function weekdayOf(day: number) {
  return weekdays[(((day + 4) % 7) + 7) % 7] ?? "sunday";
}
