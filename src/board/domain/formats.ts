import { MINUTE_MS, SECOND_MS } from "./time.ts";

// Formats numbers, times and durations. Pure: locale and time zone are parameters.

/** Formats numbers and times for a locale, times on the wall clock of a zone. */
export interface Formats {
  /** With this many decimals, by default 0. */
  number(value: number, decimals?: number): string;
  /** With its sign: "+50", "−1,240", "0". */
  signed(value: number, decimals?: number): string;
  /** For 0..100: "71 %". */
  percent(value: number, decimals?: number): string;
  /** "10:48"; for epoch ms or ISO 8601. */
  time(at: number | string): string;
  /** "Sun 22 Nov". */
  day(at: number | string): string;
  /** "22 Nov 2026, 10:48". */
  dateTime(at: number | string): string;
  timeZone: string;
}

/** @param timeZone IANA name */
export function formatsOf(locale: string, timeZone: string): Formats {
  const times = formatter(locale, { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const days = formatter(locale, { timeZone, weekday: "short", day: "numeric", month: "short" });
  const dateTimes = formatter(locale, {
    ...{ timeZone, day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  });
  const numbers = new Map<number, Intl.NumberFormat>();
  const number = (value: number, decimals = 0) => {
    const known = numbers.get(decimals);
    const made = known ?? new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    if (!known) numbers.set(decimals, made);
    // No minus sign before a value that is rounded to zero.
    const text = made.format(value);
    return /[1-9]/.test(text) ? text.replace("-", "−") : text.replace("-", "");
  };
  return {
    number,
    signed: (value, decimals = 0) => {
      const text = number(value, decimals);
      return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
    },
    percent: (value, decimals = 0) => `${number(value, decimals)}\u00a0%`,
    time: (at) => times(at),
    day: (at) => days(at).replace(",", ""),
    dateTime: (at) => dateTimes(at),
    timeZone,
  };
}

function formatter(locale: string, options: Intl.DateTimeFormatOptions) {
  const format = new Intl.DateTimeFormat(locale, options);
  return (at: number | string) => format.format(typeof at === "string" ? Date.parse(at) : at);
}

/** Formats a running time in ms: "0:07", "23:41", "1:12:40", "99:59:59". Never negative. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND_MS));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Formats a duration in ms, in whole minutes: "3 h 12 min", "12 min", "0 min". The same in all languages. */
export function durationText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  const [h, m] = [Math.floor(minutes / 60), minutes % 60];
  if (h === 0) return `${m}\u00a0min`;
  return m === 0 ? `${h}\u00a0h` : `${h}\u00a0h\u00a0${m}\u00a0min`;
}

/** The decimals that show a quantity exactly: at most 6, as the API stores it. */
export function decimalsOf(quantity: number): number {
  return Number(quantity.toFixed(6)).toString().split(".")[1]?.length ?? 0;
}

/** A number as a person typed it: `wrong`: not one; `ambiguous`: it could be read in two ways. */
export type TypedNumber = { value: number } | "empty" | "wrong" | "ambiguous";

/** What is wrong with a text that is no number: it is missing, can be read in two ways, or is not a number. */
export function faultOfNumber(typed: Exclude<TypedNumber, { value: number }>): "required" | "ambiguous" | "number" {
  return ({ empty: "required", ambiguous: "ambiguous", wrong: "number" } as const)[typed];
}

/**
 * Reads a quantity in the notation of a locale: its decimal separator, and its group separator between groups of three digits. The other
 * notation is understood where nothing else can be meant: "0.5" in Spanish. "1.000" in Spanish and "1,000" in English are a thousand; the
 * other way round they are refused, because one or a thousand may be meant.
 * @returns not negative, with at most 6 decimals
 */
export function numberFrom(text: string, locale: string): TypedNumber {
  // Groups may also be separated by spaces.
  const typed = text.trim().replace(/(\d)[ \u00a0\u202f](?=\d{3}(?!\d))/g, "$1");
  if (typed === "") return "empty";
  const isPoint = new Intl.NumberFormat(locale).format(0.5).includes(".");
  const own = isPoint ? quantityIn(typed, ".", ",") : quantityIn(typed, ",", ".");
  const other = isPoint ? quantityIn(typed, ",", ".") : quantityIn(typed, ".", ",");
  if (own !== null && other !== null && own < other) return "ambiguous";
  const value = own ?? other;
  return value === null ? "wrong" : { value };
}

/** Like `numberFrom`, with a sign: "-5", "−5", "+5". */
export function signedFrom(text: string, locale: string): TypedNumber {
  const typed = text.trim();
  const sign = /^[-−+]/.exec(typed)?.[0] ?? "";
  const found = numberFrom(typed.slice(sign.length), locale);
  if (typeof found !== "object") return found === "empty" && sign !== "" ? "wrong" : found;
  return { value: sign === "" || sign === "+" ? found.value : -found.value };
}

function quantityIn(typed: string, decimal: string, group: string): number | null {
  const [whole = "", fraction = "0", ...more] = typed.split(decimal);
  const [first = "", ...groups] = whole.split(group);
  const isGrouped = /^[1-9]\d{0,2}$/.test(first) && groups.every((one) => /^\d{3}$/.test(one));
  if (more.length > 0 || !/^\d{1,6}$/.test(fraction) || !(isGrouped || /^\d+$/.test(whole))) return null;
  const value = Number(`${[first, ...groups].join("")}.${fraction}`);
  return value <= Number.MAX_SAFE_INTEGER ? value : null;
}
