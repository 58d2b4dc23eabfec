// Days and times as people read and type them in the page's language. The browser's own fields would use the language of the browser.

import { isDay } from "./days.ts";

/** An ISO date in the words of a locale: "22 Nov 2026". The month is a word, because 3/4 is read in two ways. */
export function dayText(day: string, locale: string): string {
  const format = { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" } as const;
  return new Intl.DateTimeFormat(locale, format).format(Date.parse(`${day}T00:00:00Z`));
}

/**
 * Reads a day: "22 Nov 2026", "22 de noviembre de 2026", "Nov 22, 2026", "22/11/2026" (the day is first, as in all locales of the board), "2026-11-22".
 * Without a year it is the latest such day that is not after today.
 * @param today ISO date
 * @returns an ISO date; null: the text is no day
 */
export function dayFrom(text: string, locale: string, today: string): string | null {
  const typed = text.trim().toLowerCase();
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(typed);
  if (iso) return isoFrom(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const parts = typed.split(/[\s,./-]+/).filter((part) => part !== "" && part !== "de" && part !== "del");
  if (parts.length < 2 || parts.length > 3) return null;
  // In words the month may be the first part.
  const [first = "", second = "", year] = parts;
  const [dayPart, monthPart] = /^\d/.test(first) ? [first, second] : [second, first];
  if (!/^\d{1,2}$/.test(dayPart) || (year !== undefined && !/^(\d{2}|\d{4})$/.test(year))) return null;
  const month = /^\d{1,2}$/.test(monthPart) ? Number(monthPart) : monthNamed(monthPart, locale);
  if (month === null) return null;
  if (year !== undefined) return isoFrom(year.length === 2 ? 2000 + Number(year) : Number(year), month, Number(dayPart));
  const thisYear = Number(today.slice(0, 4));
  const inThisYear = isoFrom(thisYear, month, Number(dayPart));
  return inThisYear !== null && inThisYear <= today ? inThisYear : isoFrom(thisYear - 1, month, Number(dayPart));
}

/** The month (1 to 12) whose name in a locale begins with a text of at least three letters; null: none, or several. */
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

function isoFrom(year: number, month: number, day: number): string | null {
  const iso = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  return isDay(iso) ? iso : null;
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
