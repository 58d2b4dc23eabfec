import type { AlertHours } from "../db/values.ts";
import { DAY_MS, MINUTE_MS, minuteOfDay, weekdayOf } from "../oee/time.ts";
import { localDay, localInterval } from "../oee/zone.ts";

/**
 * Returns when somebody may next be notified, epoch ms: `now` inside their hours, otherwise the next beginning of the hours; null: never.
 * @param timezone the time zone of the hours; hours that cross midnight belong to the day on which they begin
 */
export function nextHours(hours: AlertHours, timezone: string, now: number): number | null {
  const today = localDay(timezone, now);
  let next: number | null = null;
  // From yesterday, whose hours may last until today, to the same day of next week.
  for (let day = today - 1; day <= today + 7; day++) {
    const { start, end } = hours[weekdayOf(day)];
    if (start === end) continue;
    const endMinute = minuteOfDay(end) + (end < start ? DAY_MS / MINUTE_MS : 0);
    const own = localInterval(timezone, day, minuteOfDay(start), endMinute);
    if (!own) continue;
    if (own.start <= now && now < own.end) return now;
    if (own.start > now && (next === null || own.start < next)) next = own.start;
  }
  return next;
}
