// The only place of the Worker that computes with local time. Texts in a reader's language are formatted where they are written
// (channels/render.ts, report-words.ts). The board, which imports nothing of the Worker, has model/desk/days.ts.

import { isoText } from "./iso-text.ts";
import { DAY_MS, type Interval, MINUTE_MS, SECOND_MS } from "./time.ts";

/** Cached by zone because creating one is costly: with a new one for each instant the engine takes 1.6 times as long. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** True for a name that zoneOffsetMs knows. */
export function isTimezone(name: string): boolean {
  try {
    // Intl also accepts offsets, but those have no daylight saving time.
    return !/^[+-]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

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

/** What the wall clock shows at an instant, as the epoch ms at which a clock of UTC shows the same. */
export function wallTime(timezone: string, at: number): number {
  return at + zoneOffsetMs(timezone, at);
}

/** The local day of an instant: days since 1 January 1970. */
export function localDay(timezone: string, at: number): number {
  return Math.floor(wallTime(timezone, at) / DAY_MS);
}

/** The local date of an instant: `2026-11-23`. */
export function localDate(timezone: string, at: number): string {
  return isoText(wallTime(timezone, at)).slice(0, "2026-11-23".length);
}

/**
 * The first instant at which the wall clock shows `minute` minutes after midnight of local day `day`, or a later time. A time that the
 * clock shows twice is therefore the first of the two, one that it skips is the instant at which it is set forward, and a later local
 * time is never an earlier instant.
 */
export function localToUtc(timezone: string, day: number, minute: number): number {
  const wall = day * DAY_MS + minute * MINUTE_MS;
  const offsetBefore = zoneOffsetMs(timezone, wall - DAY_MS);
  const first = wall - offsetBefore;
  if (zoneOffsetMs(timezone, first) === offsetBefore) return first;
  const offsetAfter = zoneOffsetMs(timezone, wall + DAY_MS);
  const second = wall - offsetAfter;
  if (zoneOffsetMs(timezone, second) === offsetAfter) return second;
  return changeBetween(timezone, second, first);
}

/**
 * The interval from one local time to another, in minutes after midnight of local day `day`; `to` is after `from`, and may be on a later
 * day. If the clock skips all of it, the interval comes later by as much as is skipped, so that a shift or a break of that hour is not
 * lost. Null if the zone skips the whole day, as Samoa did on 30 December 2011.
 */
export function localInterval(timezone: string, day: number, from: number, to: number): Interval | null {
  const start = localToUtc(timezone, day, from);
  const end = localToUtc(timezone, day, to);
  if (start < end) return { start, end };
  if (isSkipped(timezone, day)) return null;
  const moved = day * DAY_MS + from * MINUTE_MS - zoneOffsetMs(timezone, start - 1);
  return { start: moved, end: moved + (to - from) * MINUTE_MS };
}

/** Whether a zone that crossed the date line skipped a local day. */
export function isSkipped(timezone: string, day: number): boolean {
  return localToUtc(timezone, day, 0) === localToUtc(timezone, day + 1, 0);
}

/** The first instant in (from, to] with another offset than `from`, to the millisecond. There is exactly one change in between. */
export function changeBetween(timezone: string, from: number, to: number): number {
  const offset = zoneOffsetMs(timezone, from);
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zoneOffsetMs(timezone, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}
