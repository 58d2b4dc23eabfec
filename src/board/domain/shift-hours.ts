import { HOUR_MS, MINUTE_MS } from "./time.ts";

// Production hour by hour, against the target by the standard.

const DAY_MINUTES = 1440;

/** A machine's production in one local hour of its shift: a row of `GET /v1/summary?groupBy=hour`. */
export interface ProducedHour {
  start: string;
  end: string;
  total: number;
  target: number;
}

/** The hour of a row of the summary by hour, which always has times. */
export function producedHour(
  row: Record<"start" | "end", string | null> & Record<"total" | "target", number | null>,
): ProducedHour {
  return { start: row.start ?? "", end: row.end ?? "", total: row.total ?? 0, target: row.target ?? 0 };
}

/** A bar: an hour of the clock, clipped to the shift. Times are epoch ms. */
export interface HourBar {
  start: number;
  end: number;
  /** Units counted. Null: the hour is still to come. */
  total: number | null;
  /** Units that the standard requires: up to now in the running hour, in the whole hour if it is to come. Null: without a standard. */
  target: number | null;
  state: "past" | "running" | "future";
}

/** The shift of the bars. Times are epoch ms. */
export interface ShiftSpan {
  start: number;
  end: number;
}

/** The used members of a shift's definition: wall-clock times of the plant, "06:00". */
export interface ShiftPlan {
  start: string;
  breaks: readonly { start: string; end: string }[];
}

/** The planned breaks of a shift that began at `start`. After a clock change during the shift they are wrong by its hour. */
export function breaksOf(plan: ShiftPlan, start: number): ShiftSpan[] {
  const after = (from: string, to: string) => (minutesOf(to) - minutesOf(from) + DAY_MINUTES) % DAY_MINUTES;
  return plan.breaks.map((one) => {
    const begins = start + after(plan.start, one.start) * MINUTE_MS;
    return { start: begins, end: begins + after(one.start, one.end) * MINUTE_MS };
  });
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return 60 * hours + minutes;
}

/**
 * The bars of a shift: the hours that have begun, then those to come.
 * @param perHour the growth of the target in units per hour; null or 0: its fastest growth in the hours so far
 * @param breaks in which the target will not grow
 */
export function hourBars(
  hours: readonly ProducedHour[],
  shift: ShiftSpan,
  now: number,
  perHour: number | null,
  breaks: readonly ShiftSpan[],
): HourBar[] {
  const known = hours
    .map(({ start, end, total, target }) => ({ start: Date.parse(start), end: Date.parse(end), total, target }))
    .filter(({ start, end }) => start < shift.end && end > shift.start)
    .sort((a, b) => a.start - b.start);
  const past = known.map(({ start, end, total, target }): HourBar => {
    const state = now < end ? "running" : "past";
    return { ...clipped(start, end, shift), total, target: target > 0 ? target : null, state };
  });
  const rate = perHour || fastest(past, now);
  const bars = [...past];
  for (const { start, end } of hoursToCome(known, shift)) {
    const span = clipped(start, end, shift);
    const target = rate ? (rate * (span.end - span.start - sharedMs(span, breaks))) / HOUR_MS : null;
    if (span.end > span.start) bars.push({ ...span, total: null, target, state: "future" });
  }
  return bars;
}

/** The hours of the clock, in order, from the last one that is known to the end of a shift; all of them if none is known. */
export function hoursToCome(known: readonly ShiftSpan[], shift: ShiftSpan): ShiftSpan[] {
  const hours: ShiftSpan[] = [];
  // Not every zone is whole hours from UTC, but the last hour that began shows where hours begin.
  let start = known[known.length - 1]?.end ?? Math.floor(shift.start / HOUR_MS) * HOUR_MS;
  for (; start < shift.end; start += HOUR_MS) hours.push({ start, end: start + HOUR_MS });
  return hours;
}

function clipped(start: number, end: number, shift: ShiftSpan): ShiftSpan {
  return { start: Math.max(start, shift.start), end: Math.min(end, shift.end) };
}

function sharedMs({ start, end }: ShiftSpan, breaks: readonly ShiftSpan[]): number {
  return breaks.reduce((sum, one) => sum + Math.max(0, Math.min(end, one.end) - Math.max(start, one.start)), 0);
}

/** The units per hour that the standard asks for; null: there is none. @param perHour as in `hourBars` */
export function standardPerHour(hours: readonly ProducedHour[], perHour: number | null, now: number): number | null {
  const bars = hours.map(({ start, end, target }) => ({ start: Date.parse(start), end: Date.parse(end), target }));
  return perHour || fastest(bars, now);
}

function fastest(bars: readonly Pick<HourBar, "start" | "end" | "target">[], now: number): number | null {
  const rates = bars.map(({ start, end, target }) => ((target ?? 0) * HOUR_MS) / Math.max(1, Math.min(end, now) - start));
  return rates.reduce((most, rate) => Math.max(most, rate), 0) || null;
}

/** The height of the tallest bar or mark: at least 1, because it is a divisor. */
export function highestOf(bars: readonly HourBar[]): number {
  return bars.reduce((most, { total, target }) => Math.max(most, total ?? 0, target ?? 0), 1);
}

/** The bars with the running hour updated to the units counted in the shift by now, which are known some seconds earlier. */
export function withTotalNow(bars: readonly HourBar[], shiftTotal: number | null): readonly HourBar[] {
  if (shiftTotal === null) return bars;
  const before = bars.reduce((sum, { state, total }) => (state === "past" ? sum + (total ?? 0) : sum), 0);
  return bars.map((bar) => (bar.state === "running" ? { ...bar, total: Math.max(bar.total ?? 0, shiftTotal - before) } : bar));
}

/** The present target, computed from the one at `asOf`, which grows by `targetPerHour`; null without one. */
export function targetNow(
  { target, targetPerHour, asOf }: { target: number | null; targetPerHour: number | null; asOf: string | null },
  now: number,
): number | null {
  if (target === null || asOf === null) return target;
  return target + ((targetPerHour ?? 0) * Math.max(0, now - Date.parse(asOf))) / HOUR_MS;
}
