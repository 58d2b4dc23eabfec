import { clip, type Interval, without } from "./time.ts";

/** Available, Not available, Programmed stop, stop Outside availability, no Data, Unscheduled: outside shifts or service. */
export type AvailabilityStatus = "A" | "N" | "P" | "O" | "D" | "U";

/** A status that holds from `at` (epoch ms) until the next change. */
export interface StatusChange {
  at: number;
  status: AvailabilityStatus;
}

/** A recorded shift occurrence. */
export interface RecordedShift extends Interval {
  /** A span without end lasts until the end of its shift. */
  noDataSpans: readonly (readonly [number, number | null])[];
}

/** The part of a stop in the shift that starts at `shiftStart`. */
export interface RecordedStop extends Interval {
  shiftStart: number;
  isProgrammed: boolean;
  isIncludedInAvailability: boolean;
}

interface Stretch extends Interval {
  status: AvailabilityStatus;
}

/**
 * A machine's status in a window: the one in force at its start, then one entry per change.
 * @param window not empty
 * @param service from commissioning to decommissioning; the time outside has no shifts
 * @param shifts in order
 * @param stops in order, without overlap
 */
export function availabilityChanges(
  window: Interval,
  service: Interval,
  shifts: readonly RecordedShift[],
  stops: readonly RecordedStop[],
): StatusChange[] {
  const changes: StatusChange[] = [];
  const add = (at: number, status: AvailabilityStatus) => {
    if (changes.at(-1)?.status !== status) changes.push({ at, status });
  };
  const stopsOf = Map.groupBy(stops, (stop) => stop.shiftStart);
  const end = Math.min(window.end, service.end);
  let cursor = window.start;
  for (const shift of shifts) {
    for (const stretch of stretchesOf(shift, stopsOf.get(shift.start) ?? [])) {
      const part = clip(stretch, Math.max(cursor, service.start), end);
      if (!part) continue;
      if (cursor < part.start) add(cursor, "U");
      add(part.start, stretch.status);
      cursor = part.end;
    }
  }
  if (cursor < window.end) add(cursor, "U");
  return changes;
}

/** A whole shift, divided into its stops, its no-data spans outside stops, and available time. */
function stretchesOf(shift: RecordedShift, stops: readonly RecordedStop[]): Stretch[] {
  const byStart = (a: Interval, b: Interval) => a.start - b.start;
  const silent = shift.noDataSpans.flatMap(([start, end]) => without({ start, end: end ?? shift.end }, stops));
  const known: Stretch[] = [
    ...stops.map((stop) => ({ start: stop.start, end: stop.end, status: statusOf(stop) })),
    ...silent.map((span) => ({ ...span, status: "D" as const })),
  ].sort(byStart);
  const available = without(shift, known).map((span) => ({ ...span, status: "A" as const }));
  return [...known, ...available].sort(byStart);
}

function statusOf(stop: RecordedStop): AvailabilityStatus {
  if (!stop.isIncludedInAvailability) return "O";
  return stop.isProgrammed ? "P" : "N";
}
