// Calendar days of the plant: their edges in its time zone, and their weeks and months. A day is an ISO date, an instant is epoch ms. The only place
// of the board that computes with local time; model/formats.ts only shows it.

const DAY_MS = 86_400_000;
export const MINUTE_MS = 60_000;

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
  // Zones are at most 14 h ahead of UTC and 12 h behind it. Offsets are whole seconds.
  let [before, after] = [(midday - 28 * 3_600_000) / 1000, (midday + 16 * 3_600_000) / 1000];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(middle * 1000, zone) < day) before = middle;
    else after = middle;
  }
  starts.set(key, after * 1000);
  return after * 1000;
}

/** The day `count` days later, or earlier if negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** Whether a text is a calendar day that exists. */
export function isDay(text: string | null | undefined): text is string {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text && text >= "1970-01-02";
}

/** As in the API, from Sunday. */
export const weekdays: readonly string[] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** The weekday of a day: 0..6 from Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
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
  const isoOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { first: `${day.slice(0, 8)}01`, after: isoOf(Date.UTC(year, month, 1)) };
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
    const naive = midnight + (Number(h) * 60 + Number(m)) * MINUTE_MS + Number(s) * 1000;
    // The clock changes by at most two hours in a day, in steps of 30 minutes.
    for (let shift = -4; shift <= 4; shift++) {
      const at = naive + shift * 30 * MINUTE_MS;
      if (at > start && at < end && wallClock(at, zone) === `${day}T${wanted}`) return at;
    }
  }
  return null;
}

/** The used members of a shift's definition: wall-clock times of the plant, and weekdays in English. */
export interface ShiftTimes {
  start: string;
  end: string;
  days: readonly string[];
}

/**
 * The start of the shift that began on the day before and has not ended at `now` (epoch ms), if no shift of the present day has begun; null:
 * there is none.
 */
export function nightShiftStart(shifts: readonly ShiftTimes[], zone: string, now: number): number | null {
  const today = dayOf(now, zone);
  const yesterday = addDays(today, -1);
  const time = wallClock(now, zone).slice(11, 16);
  const isOn = (day: string, { days }: ShiftTimes) => days.includes(weekdays[weekdayOf(day)] ?? "");
  if (shifts.some((shift) => isOn(today, shift) && shift.start <= time && (shift.end <= shift.start || time < shift.end)))
    return null;
  const nights = shifts.filter((shift) => isOn(yesterday, shift) && shift.end <= shift.start && time < shift.end);
  const starts = nights.flatMap(
    ({ start }) => instantAt(start, { start: startOfDay(yesterday, zone) - 1, end: now }, zone) ?? [],
  );
  return starts.sort((a, b) => a - b)[0] ?? null;
}

/** The day for which a shift counts: each of its hours for its calendar day, or the whole shift for the day on which it starts or ends. */
export type ProductionDay = "calendarDay" | "shiftStart" | "shiftEnd";

/** The day for which a whole shift counts. */
export function dayOfShift(productionDay: Exclude<ProductionDay, "calendarDay">, { start, end }: Interval, zone: string): string {
  // A shift that ends at midnight ends on the day before.
  return dayOf(productionDay === "shiftEnd" ? end - 1 : start, zone);
}

/** The day for which the shift counts that is running at `now` (epoch ms); without one, the calendar day. */
export function todayOf(productionDay: ProductionDay, shifts: readonly ShiftTimes[], zone: string, now: number): string {
  const today = dayOf(now, zone);
  if (productionDay === "shiftStart") return nightShiftStart(shifts, zone, now) === null ? today : addDays(today, -1);
  if (productionDay === "calendarDay") return today;
  const time = wallClock(now, zone).slice(11, 16);
  const isNight = ({ start, end, days }: ShiftTimes) =>
    days.includes(weekdays[weekdayOf(today)] ?? "") && end <= start && end !== "00:00" && start <= time;
  return shifts.some(isNight) ? addDays(today, 1) : today;
}
