import type { Fault } from "../../../core/problem.ts";
import { minuteOfDay } from "../../../oee/time.ts";
import type { ShiftRow } from "./queries.ts";

const dayMinutes = 24 * 60;
const weekMinutes = 7 * dayMinutes;

interface Span {
  /** `HH:mm` */
  start: string;
  end: string;
}

/** Wall-clock minutes from start to end: 1 to 1440, because equal times are 24 h apart. */
export function lengthMinutes({ start, end }: Span): number {
  return ((minuteOfDay(end) - minuteOfDay(start) + dayMinutes - 1) % dayMinutes) + 1;
}

/** True if two shifts run at the same time of the week. */
export function overlap(one: ShiftRow, other: ShiftRow): boolean {
  const minutesUntil = (start: number, next: number) => (next - start + weekMinutes) % weekMinutes;
  return startsOf(one).some((start) =>
    startsOf(other).some(
      (otherStart) =>
        minutesUntil(start, otherStart) < lengthMinutes(one) || minutesUntil(otherStart, start) < lengthMinutes(other),
    ),
  );
}

function startsOf({ days, start }: ShiftRow): number[] {
  return days.map((day) => (day - 1) * dayMinutes + minuteOfDay(start));
}

type WithBreaks = Pick<ShiftRow, "start" | "end" | "breaks">;

/** The breaks of a shift, in minutes from its start. */
function breakSpans({ start, breaks }: WithBreaks) {
  return breaks.map((planned) => {
    const from = (minuteOfDay(planned.start) - minuteOfDay(start) + dayMinutes) % dayMinutes;
    return { start: from, end: from + lengthMinutes(planned) };
  });
}

/** Those of the breaks of a shift that lie inside it. */
export function breaksInside(shift: WithBreaks): ShiftRow["breaks"] {
  const spans = breakSpans(shift);
  return shift.breaks.filter((_, i) => (spans[i]?.end ?? 0) <= lengthMinutes(shift));
}

/** Faults in a shift's breaks: each must be inside the shift, and they must not overlap. */
export function breakFaults(shift: WithBreaks): Fault[] {
  const shiftMinutes = lengthMinutes(shift);
  const spans = breakSpans(shift);
  return spans.flatMap((span, i) => {
    const pointer = `/breaks/${i}`;
    if (span.end > shiftMinutes) return { pointer, code: "outside_shift", message: "must lie inside the shift" };
    const overlaps = spans.slice(0, i).some((other) => span.start < other.end && other.start < span.end);
    return overlaps ? { pointer, code: "overlap", message: "overlaps an earlier break" } : [];
  });
}
