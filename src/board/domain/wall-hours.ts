import { hoursOf, type ProductionRow } from "./hours.ts";
import { hoursToCome } from "./shift-hours.ts";
import { MINUTE_MS } from "./time.ts";
import type { MachineDay, Stretch } from "./timeline.ts";

/** At most so many hours are shown: the last ones. */
const MOST_HOURS = 8;

/** An hour of a shift: the sums of all machines. Times are epoch ms. */
export interface WallHour {
  start: number;
  end: number;
  /** Null: it is to come. */
  total: number | null;
  /** Up to now in the running hour. */
  target: number;
  isRunning: boolean;
}

/**
 * The hours of a shift, those to come included.
 * @param most how many there may be: the last ones of those that have begun, or some of those to come
 */
export function wallHours(
  rows: readonly ProductionRow[],
  shift: { start: number; end: number },
  now: number,
  most = MOST_HOURS,
): WallHour[] {
  const known = hoursOf(rows)
    .filter(({ start, end }) => start < shift.end && end > shift.start)
    .map(({ start, end, total, target }): WallHour => ({ start, end, total, target, isRunning: start <= now && now < end }));
  const hours = known.slice(-most);
  const toCome = hoursToCome(known, shift).map((hour): WallHour => ({ ...hour, total: null, target: 0, isRunning: false }));
  return [...hours, ...toCome.slice(0, most - hours.length)];
}

/**
 * The hours with the running one set so that their sum is the present sum of the shift, which is known some seconds earlier.
 * @param hours all hours of the shift that have begun, not only those that are shown
 * @param shift its sums, as the header shows them
 */
export function withSum(hours: readonly WallHour[], shift: { total: number; target: number }): WallHour[] {
  const before = hours.filter(({ isRunning, total }) => !isRunning && total !== null);
  const sum = (of: "total" | "target") => before.reduce((so, hour) => so + (hour[of] ?? 0), 0);
  const now = { total: shift.total - sum("total"), target: shift.target - sum("target") };
  // Machines with other shifts: then the hours are not those of the sum.
  if (now.total < 0 || now.target < 0) return [...hours];
  return hours.map((hour) => (hour.isRunning ? { ...hour, ...now } : hour));
}

/** A reason for what an hour lacks, with its minutes of all machines together. */
export interface Reason {
  /** Null: no data. */
  stop: Stretch["stop"];
  kind: "stopped" | "unknown" | "noData";
  minutes: number;
}

/** What machines lost in an hour, the longest first: stops that nobody planned, by their names, and time without data. */
export function reasonsOf(days: readonly MachineDay[], hour: { start: number; end: number }): Reason[] {
  const reasons = new Map<string, Reason>();
  for (const { kind, start, end, stop } of days.flatMap(({ stretches }) => stretches)) {
    const minutes = (Math.min(end, hour.end) - Math.max(start, hour.start)) / MINUTE_MS;
    if (minutes <= 0 || (kind !== "stopped" && kind !== "unknown" && kind !== "noData")) continue;
    const key = kind === "stopped" ? `stopped ${stop?.name}` : kind;
    const known = reasons.get(key);
    if (known) known.minutes += minutes;
    else reasons.set(key, { kind, stop, minutes });
  }
  return [...reasons.values()].filter(({ minutes }) => minutes >= 1).sort((a, b) => b.minutes - a.minutes);
}
