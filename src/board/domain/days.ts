import { DAY_MS, HOUR_MS, iso, MINUTE_MS, SECOND_MS } from "./time.ts";

// All of the board's computing with local time: calendar days in the plant's time zone, the clock there, and what people type. An instant is epoch
// ms, a day is an ISO date.

/** Half-open, epoch ms. */
export interface Interval {
  start: number;
  end: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The wall clock of a zone at an instant: "2026-11-22T10:48:05". */
export function wallClock(at: number, zone: string): string {
  let format = formats.get(zone);
  if (!format) {
    const two = { month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
    format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", ...two, hourCycle: "h23" });
    formats.set(zone, format);
  }
  const parts: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(at)) parts[type] = value;
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}`;
}

/** The calendar day of an instant. */
export function dayOf(at: number, zone: string): string {
  return wallClock(at, zone).slice(0, 10);
}

const starts = new Map<string, number>();

/** The first instant of a calendar day: midnight, or the first time after it where the clock skips midnight. */
export function startOfDay(day: string, zone: string): number {
  const key = `${zone} ${day}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  const midday = Date.parse(`${day}T12:00:00Z`);
  // Time zones are from 12 h behind UTC to 14 h ahead of it, with offsets in whole seconds.
  let [before, after] = [(midday - 28 * HOUR_MS) / SECOND_MS, (midday + 16 * HOUR_MS) / SECOND_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(middle * SECOND_MS, zone) < day) before = middle;
    else after = middle;
  }
  starts.set(key, after * SECOND_MS);
  return after * SECOND_MS;
}

/** The day `count` days later, or earlier if negative. */
export function addDays(day: string, count: number): string {
  return iso(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).slice(0, 10);
}

/** Whether a text is a calendar day that exists. */
export function isDay(text: string | null | undefined): text is string {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && iso(at).slice(0, 10) === text && text >= "1970-01-02";
}

/** As in the API, from Sunday. */
export const weekdays: readonly string[] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** The weekday of a day: 0..6 from Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** The name of a weekday, 0..6 from Sunday. */
export function weekdayName(weekday: number, locale: string, length: "long" | "short" = "long"): string {
  // 1970-01-04 was a Sunday.
  return new Intl.DateTimeFormat(locale, { timeZone: "UTC", weekday: length }).format((3 + weekday) * DAY_MS);
}

export const spans = ["day", "week", "month"] as const;
export type Span = (typeof spans)[number];

/** The first day of a week. */
export type WeekStart = "monday" | "sunday";

/** The day, week or month that contains a day: its first day, and the day after its last. */
export function daysOf(span: Span, day: string, weekStart: WeekStart): { first: string; after: string } {
  if (span === "day") return { first: day, after: addDays(day, 1) };
  if (span === "week") {
    const intoWeek = (weekdayOf(day) + (weekStart === "monday" ? 6 : 0)) % 7;
    const first = addDays(day, -intoWeek);
    return { first, after: addDays(first, 7) };
  }
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  return { first: `${day.slice(0, 8)}01`, after: iso(Date.UTC(year, month, 1)).slice(0, 10) };
}

/** The interval of a span on the plant's clock. A day with a clock change has 23 or 25 hours. */
export function rangeOf(span: Span, day: string, zone: string, weekStart: WeekStart): Interval {
  const { first, after } = daysOf(span, day, weekStart);
  return { start: startOfDay(first, zone), end: startOfDay(after, zone) };
}

/** A day in the span after (1) or before (-1) the one that contains a day. */
export function stepped(span: Span, day: string, direction: 1 | -1, weekStart: WeekStart): string {
  const { first, after } = daysOf(span, day, weekStart);
  return direction === 1 ? after : daysOf(span, addDays(first, -1), weekStart).first;
}

/**
 * The instant inside an interval (not at its edges) at which a zone's clock shows a time "HH:mm" or "HH:mm:ss"; null: there is none. If the
 * clock shows it twice, the first.
 */
export function instantAt(clock: string, { start, end }: Interval, zone: string): number | null {
  const [, h, m, s = "0"] = clock.match(/^(\d{1,2}):(\d{2})(?::(\d{2}))?$/) ?? [];
  if (h === undefined || m === undefined) return null;
  const wanted = `${h.padStart(2, "0")}:${m}:${s.padStart(2, "0")}`;
  const lastDay = dayOf(end, zone);
  for (let day = dayOf(start, zone); day <= lastDay; day = addDays(day, 1)) {
    const midnight = startOfDay(day, zone);
    const naive = midnight + Number(h) * HOUR_MS + Number(m) * MINUTE_MS + Number(s) * SECOND_MS;
    // The clock changes by at most two hours in a day, in steps of 30 minutes.
    for (let shift = -4; shift <= 4; shift++) {
      const at = naive + shift * 30 * MINUTE_MS;
      if (at > start && at < end && wallClock(at, zone) === `${day}T${wanted}`) return at;
    }
  }
  return null;
}

// Days and times as people read and type them in the page's language. The browser's own fields would use the language of the browser.

/** An ISO date in the words of a locale: "22 Nov 2026". The month is a word, because 3/4 is read in two ways. */
export function dayText(day: string, locale: string): string {
  const format = { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" } as const;
  return new Intl.DateTimeFormat(locale, format).format(Date.parse(`${day}T00:00:00Z`));
}

/**
 * Reads a day in one of these forms: "22 Nov 2026", "22 de noviembre de 2026", "Nov 22, 2026", "2026-11-22", and "22/11/2026", where the day is first
 * in all languages of the board.
 * Without a year it is the latest such day that is not after today.
 * @param today ISO date
 * @returns an ISO date; null: the text is no day
 */
export function dayFrom(text: string, locale: string, today: string): string | null {
  const typed = text.trim().toLowerCase();
  const date = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(typed);
  if (date) return dayWith(Number(date[1]), Number(date[2]), Number(date[3]));
  const parts = typed.split(/[\s,./-]+/).filter((part) => part !== "" && part !== "de" && part !== "del");
  if (parts.length < 2 || parts.length > 3) return null;
  // In words the month may be the first part.
  const [first = "", second = "", year] = parts;
  const [dayPart, monthPart] = /^\d/.test(first) ? [first, second] : [second, first];
  if (!/^\d{1,2}$/.test(dayPart) || (year !== undefined && !/^(\d{2}|\d{4})$/.test(year))) return null;
  const month = /^\d{1,2}$/.test(monthPart) ? Number(monthPart) : monthNamed(monthPart, locale);
  if (month === null) return null;
  if (year !== undefined) return dayWith(year.length === 2 ? 2000 + Number(year) : Number(year), month, Number(dayPart));
  const thisYear = Number(today.slice(0, 4));
  const inThisYear = dayWith(thisYear, month, Number(dayPart));
  return inThisYear !== null && inThisYear <= today ? inThisYear : dayWith(thisYear - 1, month, Number(dayPart));
}

/** The number (1 to 12) of the one month whose name begins with a text; null: no month or several do, or the text has fewer than three letters. */
function monthNamed(text: string, locale: string): number | null {
  if (text.length < 3) return null;
  const name = new Intl.DateTimeFormat(locale, { timeZone: "UTC", month: "long" });
  const months = Array.from({ length: 12 }, (_, i) => i + 1);
  const found = months.filter((month) =>
    name
      .format(Date.UTC(2000, month - 1, 1))
      .toLowerCase()
      .startsWith(text),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

function dayWith(year: number, month: number, day: number): string | null {
  const date = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  return isDay(date) ? date : null;
}

/**
 * Reads a time of day: "9:05", "09:05:30", "9.05", "9:05 h", and "9:05 pm".
 * @returns "HH:mm:ss"; null: the text is no time
 */
export function clockFrom(text: string): string | null {
  const found = /^(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?\s*(h|am|pm|a\.\s?m\.|p\.\s?m\.)?$/.exec(text.trim().toLowerCase());
  if (!found) return null;
  const [, h = "", m = "", s = "00", half] = found;
  const isHalf = half !== undefined && half !== "h";
  if (Number(m) > 59 || Number(s) > 59 || (isHalf ? Number(h) < 1 || Number(h) > 12 : Number(h) > 23)) return null;
  const hour = isHalf ? (Number(h) % 12) + (half.startsWith("p") ? 12 : 0) : Number(h);
  return `${String(hour).padStart(2, "0")}:${m}:${s}`;
}

/** An instant as it is typed: a day (ISO date), and a time of day. */
export interface TypedInstant {
  day: string;
  clock: string;
}

/** `clock`: not a time of day. `skipped`: the clocks are set forward over it. */
export type InstantFault = "clock" | "skipped";

/** The instant (epoch ms) of a day and time in a zone. */
export function instantOf({ day, clock }: TypedInstant, zone: string): { at: number } | { fault: InstantFault } {
  const typed = clockFrom(clock);
  if (typed === null) return { fault: "clock" };
  const within = { start: startOfDay(day, zone) - 1, end: startOfDay(addDays(day, 1), zone) };
  const at = instantAt(typed, within, zone);
  return at === null ? { fault: "skipped" } : { at };
}
