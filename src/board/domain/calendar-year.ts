import { addDays, daysOf, type WeekStart, weekdayOf } from "./days.ts";
import { isClockChange } from "./first-steps.ts";
import { type ShiftTimes, shiftsOn } from "./shifts.ts";
import { DAY_MS } from "./time.ts";

// The year of a plant, day by day: which days work, which are closed, which have other shifts, and when the clocks change.

/** What is used of a calendar day. */
export interface Entry {
  id: number;
  date: string;
  scope: string;
  lineId: number | null;
  machineId: number | null;
  closed: boolean;
}

/** What a day is for the whole plant: `usual` has the shifts of its weekday, `none` has no shift, `other` has other ones. */
export type DayKind = "usual" | "none" | "closed" | "other";

export interface YearDay<E extends Entry = Entry> {
  day: string;
  kind: DayKind;
  /** Its calendar days: that of the plant, then those of lines and machines. */
  entries: E[];
  /** Whether a line or a machine has a calendar day of its own. */
  isPartly: boolean;
  isClockChange: boolean;
}

/** All days of a year. */
export function yearOf<E extends Entry>(
  year: number,
  { shifts, entries, zone }: { shifts: readonly ShiftTimes[]; entries: readonly E[]; zone: string },
): YearDay<E>[] {
  const byDate = new Map<string, E[]>();
  for (const one of entries) byDate.set(one.date, [...(byDate.get(one.date) ?? []), one]);
  const order = ["company", "line", "machine"];
  const days: YearDay<E>[] = [];
  for (let day = `${year}-01-01`; day.startsWith(`${year}-`); day = addDays(day, 1)) {
    const own = [...(byDate.get(day) ?? [])].sort((a, b) => order.indexOf(a.scope) - order.indexOf(b.scope) || a.id - b.id);
    const plant = own.find(({ scope }) => scope === "company");
    const usual = shiftsOn(shifts, day).length > 0 ? "usual" : "none";
    const kind = plant ? (plant.closed ? "closed" : "other") : usual;
    const isPartly = own.some(({ scope }) => scope !== "company");
    days.push({ day, kind, entries: own, isPartly, isClockChange: isClockChange(day, zone) });
  }
  return days;
}

/** The days of the months of a year in rows of weeks. Null: a place before the first or after the last day of a month. */
export function monthsOf<D extends { day: string }>(days: readonly D[], weekStart: WeekStart): (D | null)[][][] {
  const names = [...new Set(days.map(({ day }) => day.slice(0, 7)))];
  const months = names.map((name) => days.filter(({ day }) => day.startsWith(name)));
  return months.map((month) => {
    const before = (weekdayOf(month[0]?.day ?? "") + (weekStart === "monday" ? 6 : 0)) % 7;
    const places = [...Array<null>(before).fill(null), ...month];
    return Array.from({ length: Math.ceil(places.length / 7) }, (_, week) =>
      Array.from({ length: 7 }, (_, column) => places[week * 7 + column] ?? null),
    );
  });
}

/** Most calendar days that are copied at once. */
export const MOST_COPIES = 500;

/** Which weeks' calendar days are copied to which. */
export interface WeekCopy {
  /** A day of the week that is copied. */
  source: string;
  /** Days of the first and the last week that it is copied to. */
  first: string;
  last: string;
}

/**
 * What copying the calendar days of a week makes: the same on the same weekdays of other weeks. Days that have one already keep it, and so do
 * the days up to today.
 */
export function copiesOf<E extends Entry>(
  entries: readonly E[],
  { source, first, last }: WeekCopy,
  { today, weekStart }: { today: string; weekStart: WeekStart },
): { copies: { entry: E; date: string }[]; kept: number; weeks: number } {
  const week = (day: string) => daysOf("week", day, weekStart);
  const from = week(source);
  const ofWeek = entries.filter(({ date }) => date >= from.first && date < from.after);
  const placeOf = ({ scope, lineId, machineId }: E, date: string) => `${date} ${scope} ${lineId} ${machineId}`;
  const taken = new Set(entries.map((one) => placeOf(one, one.date)));
  const copies: { entry: E; date: string }[] = [];
  let [kept, weeks] = [0, 0];
  for (let start = week(first).first; start <= last && copies.length <= MOST_COPIES; start = addDays(start, 7)) {
    if (start === from.first) continue;
    const by = (Date.parse(start) - Date.parse(from.first)) / DAY_MS;
    const made = ofWeek.map((entry) => ({ entry, date: addDays(entry.date, by) })).filter(({ date }) => date > today);
    if (addDays(start, 6) > today) weeks++;
    const free = made.filter(({ entry, date }) => !taken.has(placeOf(entry, date)));
    kept += made.length - free.length;
    for (const one of free) copies.push(one);
  }
  return { copies, kept, weeks };
}
