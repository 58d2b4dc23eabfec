import { type Interval, without } from "./time.ts";

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

/** A time of one status in a shift, and the stop that it belongs to; null: none. */
export interface Stretch<Shift, Stop> extends Interval {
  status: Exclude<AvailabilityStatus, "U">;
  shift: Shift;
  stop: Stop | null;
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
  let cursor = window.start;
  for (const { start, end, status } of stretchesIn(window, service, shifts, stops)) {
    if (cursor < start) add(cursor, "U");
    add(start, status);
    cursor = end;
  }
  if (cursor < window.end) add(cursor, "U");
  return changes;
}

/** The shift time in a window, in order, divided by status as in `availabilityChanges`; each stop is a separate stretch. */
export function stretchesIn<Shift extends RecordedShift, Stop extends RecordedStop>(
  window: Interval,
  service: Interval,
  shifts: readonly Shift[],
  stops: readonly Stop[],
): Stretch<Shift, Stop>[] {
  const stopsOf = Map.groupBy(stops, (stop) => stop.shiftStart);
  const end = Math.min(window.end, service.end);
  const found: Stretch<Shift, Stop>[] = [];
  let cursor = Math.max(window.start, service.start);
  for (const shift of shifts) {
    for (const stretch of stretchesOf(shift, stopsOf.get(shift.start) ?? [])) {
      const part = { ...stretch, start: Math.max(stretch.start, cursor), end: Math.min(stretch.end, end) };
      if (part.start >= part.end) continue;
      found.push(part);
      cursor = part.end;
    }
  }
  return found;
}

/** A whole shift, divided into its stops, its no-data spans outside stops, and available time. */
function stretchesOf<Shift extends RecordedShift, Stop extends RecordedStop>(
  shift: Shift,
  stops: readonly Stop[],
): Stretch<Shift, Stop>[] {
  const silent = shift.noDataSpans.flatMap(([start, end]) => without({ start, end: end ?? shift.end }, stops));
  const known: Stretch<Shift, Stop>[] = [
    ...stops.map((stop) => ({ start: stop.start, end: stop.end, status: statusOf(stop), shift, stop })),
    ...silent.map(({ start, end }) => ({ start, end, status: "D" as const, shift, stop: null })),
  ].sort((a, b) => a.start - b.start);
  const all: Stretch<Shift, Stop>[] = [];
  let cursor = shift.start;
  const fillUntil = (end: number) => {
    if (cursor < end) all.push({ start: cursor, end, status: "A", shift, stop: null });
  };
  for (const stretch of known) {
    fillUntil(Math.min(stretch.start, shift.end));
    all.push(stretch);
    cursor = Math.max(cursor, stretch.end);
  }
  fillUntil(shift.end);
  return all;
}

function statusOf(stop: RecordedStop): "N" | "P" | "O" {
  if (!stop.isIncludedInAvailability) return "O";
  return stop.isProgrammed ? "P" : "N";
}
