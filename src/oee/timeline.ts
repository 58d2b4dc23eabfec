import { append } from "./extremes.ts";
import type { ShiftOccurrence } from "./shifts.ts";
import type { Span } from "./signal.ts";
import { clip, type Interval, without } from "./time.ts";

/**
 * A stop that a person recorded. It overrides the signals.
 * @public for tests
 */
export interface ManualStop extends Interval {
  isProgrammed: boolean;
  isIncludedInAvailability: boolean;
}

/** Changes by people to a time line, apart from edits of single stops. Times in order. */
export interface TimelineEdits {
  /** Without overlap. */
  manual: readonly ManualStop[];
  /** Where a stop is split in two. */
  cuts: readonly number[];
  /** Where a stop and the one right after it are joined. */
  joins: readonly number[];
}

export interface StopFacts {
  isManual: boolean;
  isProgrammed: boolean;
  isIncludedInAvailability: boolean;
  /** The planned break that made it a separate stop; null: none did. */
  breakName: string | null;
  /** Whether it has a general or specific cause. */
  isAnnotated: boolean;
}

const plainStop: StopFacts = {
  isManual: false,
  isProgrammed: false,
  isIncludedInAvailability: true,
  breakName: null,
  isAnnotated: false,
};

/** A piece of the time line with manual stops and planned breaks applied. Shifts do not cut it. */
export interface Piece extends Interval {
  kind: "available" | "noData" | "stop";
  /** Null unless it is a stop. */
  stop: StopFacts | null;
}

/**
 * Lays manual stops over the spans, cuts the stopped time at planned breaks, and then splits and merges stops where people did.
 * Each stopped piece of the result is one stop.
 * @param spans in order, without overlap
 * @param occurrences every shift occurrence that overlaps the stopped spans, in order
 */
export function timelineOf(
  spans: readonly Span[],
  occurrences: readonly ShiftOccurrence[],
  { manual, cuts, joins }: TimelineEdits,
): Piece[] {
  const breaks = occurrences.flatMap((occurrence) => occurrence.breaks);
  const pieces: Piece[] = [];
  const covered = { start: spans[0]?.start ?? 0, end: spans.at(-1)?.end ?? 0 };
  for (const recorded of manual) {
    const part = clip(recorded, covered.start, covered.end);
    const { isProgrammed, isIncludedInAvailability } = recorded;
    const stop = { ...plainStop, isManual: true, isProgrammed, isIncludedInAvailability };
    if (part) pieces.push({ ...part, kind: "stop", stop });
  }
  for (const span of spans) {
    for (const { start, end } of without(span, manual)) {
      if (span.kind === "available" || span.kind === "noData") pieces.push({ start, end, kind: span.kind, stop: null });
      else append(pieces, cutAtBreaks({ start, end }, span.kind === "planned", breaks));
    }
  }
  pieces.sort((a, b) => a.start - b.start);
  return cutAndJoin(pieces, cuts, new Set(joins));
}

function cutAndJoin(pieces: readonly Piece[], cuts: readonly number[], joins: ReadonlySet<number>): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const before = result.at(-1);
    if (piece.stop && before?.stop && before.end === piece.start && joins.has(piece.start)) {
      before.end = piece.end;
      continue;
    }
    result.push({ ...piece });
  }
  if (cuts.length === 0) return result;
  return result.flatMap((piece) => {
    if (!piece.stop) return [piece];
    const ends = [...cuts.filter((at) => piece.start < at && at < piece.end), piece.end];
    let { start } = piece;
    return ends.map((end) => {
      const part = { ...piece, start, end };
      start = end;
      return part;
    });
  });
}

function cutAtBreaks(stopped: Interval, isProgrammed: boolean, breaks: ShiftOccurrence["breaks"][number][]): Piece[] {
  const piece = (start: number, end: number, facts: Partial<StopFacts>): Piece => ({
    start,
    end,
    kind: "stop",
    stop: { ...plainStop, isProgrammed, ...facts },
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
