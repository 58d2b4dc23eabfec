export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Half-open: `start` belongs to it, `end` does not. Epoch milliseconds UTC. */
export interface Interval {
  start: number;
  end: number;
}

/** The part of `interval` inside [start, end), or null when there is none. */
export function clip(interval: Interval, start: number, end: number): Interval | null {
  const from = Math.max(interval.start, start);
  const to = Math.min(interval.end, end);
  return from < to ? { start: from, end: to } : null;
}

/** What is left of an interval when others, in order of their starts, are taken out of it. */
export function without(interval: Interval, others: readonly Interval[]): Interval[] {
  const left: Interval[] = [];
  let cursor = interval.start;
  for (const other of others) {
    if (other.end <= cursor) continue;
    if (other.start >= interval.end) break;
    if (cursor < other.start) left.push({ start: cursor, end: other.start });
    cursor = Math.max(cursor, other.end);
  }
  if (cursor < interval.end) left.push({ start: cursor, end: interval.end });
  return left;
}

/** Two digits of each number below a hundred. */
const digits = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, "0"));
let newestDay = Number.NaN;
let newestDate = "";

/**
 * Epoch ms as ISO 8601 with Z; null stays null. Throws RangeError where there is no such time.
 * What `Date` says, in a sixth of the time: the times of an answer are many, and most of one day.
 */
export function isoOf<T extends number | null>(at: T): T extends null ? null : string;
export function isoOf(at: number | null): string | null {
  if (at === null) return null;
  const day = Math.floor(at / DAY_MS);
  if (day !== newestDay) {
    newestDate = new Date(day * DAY_MS).toISOString().slice(0, -"00:00:00.000Z".length);
    newestDay = day;
  }
  const ms = Math.trunc(at - day * DAY_MS);
  const [hour, minute, second] = [Math.floor(ms / HOUR_MS), Math.floor(ms / MINUTE_MS) % 60, Math.floor(ms / SECOND_MS) % 60];
  const thousandths = `${digits[Math.floor((ms % 1000) / 10)]}${ms % 10}`;
  return `${newestDate}${digits[hour]}:${digits[minute]}:${digits[second]}.${thousandths}Z`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Local time minus UTC in a zone at an instant, in ms. Throws RangeError on an unknown IANA name. */
export function zoneOffsetMs(timezone: string, at: number): number {
  let formatter = formatters.get(timezone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formatters.set(timezone, formatter);
  }
  const shown = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of formatter.formatToParts(at)) {
    if (Object.hasOwn(shown, type)) shown[type as keyof typeof shown] = Number(value);
  }
  const { year, month, day, hour, minute, second } = shown;
  const wholeSecond = Math.floor(at / SECOND_MS) * SECOND_MS;
  return Date.UTC(year, month - 1, day, hour, minute, second) - wholeSecond;
}

/** ISO weekday of a day number: Monday is 1, Sunday is 7. */
export function isoWeekday(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/**
 * The instant at which the wall clock shows `minute` minutes after midnight of local day `day`.
 * A time that the clock skips is moved forward by the skip; one that it shows twice is the first.
 */
export function localToUtc(timezone: string, day: number, minute: number): number {
  const wall = day * DAY_MS + minute * MINUTE_MS;
  const offsetBefore = zoneOffsetMs(timezone, wall - DAY_MS);
  const first = wall - offsetBefore;
  if (zoneOffsetMs(timezone, first) === offsetBefore) return first;
  const offsetAfter = zoneOffsetMs(timezone, wall + DAY_MS);
  const second = wall - offsetAfter;
  return zoneOffsetMs(timezone, second) === offsetAfter ? second : first;
}

/** Minutes after midnight of a wall-clock `HH:mm`. */
export function minuteOfDay(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
}
