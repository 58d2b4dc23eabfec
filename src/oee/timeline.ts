import type { ShiftOccurrence } from "./shifts.ts";
import type { Span } from "./signal.ts";
import { type Interval, without } from "./time.ts";

/** A stop that a person recorded: it holds whatever the signals say. */
export interface ManualStop extends Interval {
  isProgrammed: boolean;
  isIncludedInAvailability: boolean;
}

export interface StopFacts {
  isManual: boolean;
  isProgrammed: boolean;
  isIncludedInAvailability: boolean;
  /** Of the planned break that made it a stop of its own. */
  breakName: string | null;
}

/** The time line after manual stops and planned breaks, still across shifts. */
export interface Piece extends Interval {
  kind: "available" | "noData" | "stop";
  /** Present on stops alone. */
  stop: StopFacts | null;
}

/**
 * Lays manual stops over the signals' spans and cuts the stopped time at planned breaks: each piece of it is one stop.
 * @param spans in order, without overlap
 * @param occurrences every shift occurrence that overlaps the stopped spans, in order
 * @param manual in order, without overlap
 */
export function timelineOf(
  spans: readonly Span[],
  occurrences: readonly ShiftOccurrence[],
  manual: readonly ManualStop[],
): Piece[] {
  const breaks = occurrences.flatMap((occurrence) => occurrence.breaks);
  const pieces: Piece[] = [];
  const covered = { start: spans[0]?.start ?? 0, end: spans.at(-1)?.end ?? 0 };
  for (const stop of manual) {
    const start = Math.max(stop.start, covered.start);
    const end = Math.min(stop.end, covered.end);
    const { isProgrammed, isIncludedInAvailability } = stop;
    if (start < end) {
      pieces.push({
        start,
        end,
        kind: "stop",
        stop: { isManual: true, isProgrammed, isIncludedInAvailability, breakName: null },
      });
    }
  }
  for (const span of spans) {
    for (const { start, end } of without(span, manual)) {
      if (span.kind === "available" || span.kind === "noData") pieces.push({ start, end, kind: span.kind, stop: null });
      else pieces.push(...cutAtBreaks({ start, end }, span.kind === "planned", breaks));
    }
  }
  return pieces.sort((a, b) => a.start - b.start);
}

function cutAtBreaks(stopped: Interval, isProgrammed: boolean, breaks: ShiftOccurrence["breaks"][number][]): Piece[] {
  const piece = (start: number, end: number, facts: Partial<StopFacts>): Piece => ({
    start,
    end,
    kind: "stop",
    stop: { isManual: false, isProgrammed, isIncludedInAvailability: true, breakName: null, ...facts },
  });
  const pieces: Piece[] = [];
  let cursor = stopped.start;
  for (const planned of breaks) {
    const start = Math.max(planned.start, cursor);
    const end = Math.min(planned.end, stopped.end);
    if (start >= end) continue;
    if (cursor < start) pieces.push(piece(cursor, start, {}));
    const { name, isIncludedInAvailability } = planned;
    pieces.push(piece(start, end, { isProgrammed: true, isIncludedInAvailability, breakName: name }));
    cursor = end;
  }
  if (cursor < stopped.end) pieces.push(piece(cursor, stopped.end, {}));
  return pieces;
}
