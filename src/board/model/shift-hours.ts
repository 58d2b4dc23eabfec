// Hour by hour: what was made against what the standard allowed.

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

/** What a machine made in an hour of the clock, as `GET /v1/production?interval=hour` gives it. */
export interface ProducedHour {
  start: string;
  end: string;
  total: number;
  target: number;
}

/** A bar: an hour of the clock, clipped to the shift. Times are epoch ms. */
export interface HourBar {
  start: number;
  end: number;
  /** Units counted. Null: still to come. */
  total: number | null;
  /** Units that the standard allows in it, up to now in the running hour, in all of it in hours to come. Null: without a standard. */
  target: number | null;
  state: "past" | "running" | "future";
}

/** The shift that bars are of. Times are epoch ms. */
export interface ShiftSpan {
  start: number;
  end: number;
}

/** What is used of a shift's definition: wall-clock times of the plant, "06:00". */
export interface ShiftPlan {
  start: string;
  breaks: readonly { start: string; end: string }[];
}

/** The planned breaks of a shift that began at `start`. In a night in which the clock is changed they are the hour off after that. */
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
 * The bars of a shift: hours that began, then those to come.
 * @param perHour units that the target grows by in an hour; null or 0: what it grew by fastest in the hours so far
 * @param breaks in which it will not grow
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
  // Hours of the clock: not every zone is whole hours from UTC, but an hour that began tells where hours begin.
  let start = known[known.length - 1]?.end ?? Math.floor(shift.start / HOUR_MS) * HOUR_MS;
  while (start < shift.end) {
    const span = clipped(start, start + HOUR_MS, shift);
    const target = rate ? (rate * (span.end - span.start - sharedMs(span, breaks))) / HOUR_MS : null;
    if (span.end > span.start) bars.push({ ...span, total: null, target, state: "future" });
    start += HOUR_MS;
  }
  return bars;
}

function clipped(start: number, end: number, shift: ShiftSpan): ShiftSpan {
  return { start: Math.max(start, shift.start), end: Math.min(end, shift.end) };
}

function sharedMs({ start, end }: ShiftSpan, breaks: readonly ShiftSpan[]): number {
  return breaks.reduce((sum, one) => sum + Math.max(0, Math.min(end, one.end) - Math.max(start, one.start)), 0);
}

function fastest(bars: readonly HourBar[], now: number): number | null {
  const rates = bars.map(({ start, end, target }) => ((target ?? 0) * HOUR_MS) / Math.max(1, Math.min(end, now) - start));
  return Math.max(0, ...rates) || null;
}

/** The height of the tallest bar or mark: 1 at least, so that there is something to divide by. */
export function highestOf(bars: readonly HourBar[]): number {
  return Math.max(1, ...bars.flatMap(({ total, target }) => [total ?? 0, target ?? 0]));
}

/** Bars whose running hour is brought up to the units that were counted in the shift by now, which are known some seconds earlier. */
export function withTotalNow(bars: readonly HourBar[], shiftTotal: number | null): readonly HourBar[] {
  if (shiftTotal === null) return bars;
  const before = bars.reduce((sum, { state, total }) => (state === "past" ? sum + (total ?? 0) : sum), 0);
  return bars.map((bar) => (bar.state === "running" ? { ...bar, total: Math.max(bar.total ?? 0, shiftTotal - before) } : bar));
}

/** The target of this moment, from one that was true at `asOf` and grows by `targetPerHour`; null without one. */
export function targetNow(
  { target, targetPerHour, asOf }: { target: number | null; targetPerHour: number | null; asOf: string | null },
  now: number,
): number | null {
  if (target === null || asOf === null) return target;
  return target + ((targetPerHour ?? 0) * Math.max(0, now - Date.parse(asOf))) / HOUR_MS;
}
