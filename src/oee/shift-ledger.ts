import { clip, type Interval } from "./time.ts";
import type { Piece } from "./timeline.ts";

/** Each second of a shift is in exactly one of these. */
export type Bucket = "available" | "noData" | "programmed" | "nonProgrammed" | "other";

/** A piece of the time line clipped to one shift. */
export interface Segment extends Interval {
  bucket: Bucket;
  /** Whether the stop behind it carries a general or specific cause. */
  isAnnotated: boolean;
}

/** Sums of a shift in ms over [start, asOf); the five buckets add up to its covered time. */
export interface ShiftSums {
  asOf: number;
  /** The bucket at `asOf`, which continues until an event comes or a threshold passes. Null: the shift is closed. */
  openBucket: Bucket | null;
  openIsAnnotated: boolean;
  availableMs: number;
  noDataMs: number;
  programmedMs: number;
  nonProgrammedMs: number;
  otherMs: number;
  /** Non-programmed time before the first available second; all of it while there is none. */
  lateStartMs: number;
  /** Non-programmed time after the last available second; 0 when there is none. */
  nonProgrammedSinceAvailableMs: number;
  /** Time in stops included in availability whose stop carries a cause. */
  annotatedMs: number;
}

/** The bucket of a piece, by the current flags of its stop. */
export function bucketOf(piece: Piece): Bucket {
  if (piece.kind !== "stop" || !piece.stop) return piece.kind === "noData" ? "noData" : "available";
  if (!piece.stop.isIncludedInAvailability) return "other";
  return piece.stop.isProgrammed ? "programmed" : "nonProgrammed";
}

/** The segments of [start, end), which the pieces cover in order. */
export function segmentsOf(pieces: readonly Piece[], { start, end }: Interval): Segment[] {
  return pieces.flatMap((piece) => {
    const part = clip(piece, start, end);
    return part ? [{ ...part, bucket: bucketOf(piece), isAnnotated: piece.stop?.isAnnotated ?? false }] : [];
  });
}

/**
 * Sums the segments of one shift.
 * @param segments in order, covering the shift up to `asOf`
 * @param open the segment at `asOf`; null for a closed shift
 */
export function sumSegments(segments: readonly Segment[], asOf: number, open: Segment | null): ShiftSums {
  const sums: ShiftSums = {
    asOf,
    openBucket: open?.bucket ?? null,
    openIsAnnotated: open?.isAnnotated ?? false,
    availableMs: 0,
    noDataMs: 0,
    programmedMs: 0,
    nonProgrammedMs: 0,
    otherMs: 0,
    lateStartMs: 0,
    nonProgrammedSinceAvailableMs: 0,
    annotatedMs: 0,
  };
  for (const segment of segments) addTime(sums, segment.end - segment.start, segment);
  return sums;
}

/**
 * The sums of a running shift at a later instant if no event came since `asOf`: the open bucket continues.
 * For a closed shift or an instant before `asOf`, the sums stay as they are.
 */
export function extendSums(sums: ShiftSums, until: number): ShiftSums {
  if (sums.openBucket === null || until <= sums.asOf) return sums;
  const extended = { ...sums, asOf: until };
  addTime(extended, until - sums.asOf, { bucket: sums.openBucket, isAnnotated: sums.openIsAnnotated });
  return extended;
}

function addTime(sums: ShiftSums, durationMs: number, { bucket, isAnnotated }: Pick<Segment, "bucket" | "isAnnotated">): void {
  sums[`${bucket}Ms`] += durationMs;
  if (bucket === "available") sums.nonProgrammedSinceAvailableMs = 0;
  if (bucket === "nonProgrammed") {
    if (sums.availableMs === 0) sums.lateStartMs += durationMs;
    else sums.nonProgrammedSinceAvailableMs += durationMs;
  }
  if (isAnnotated && (bucket === "programmed" || bucket === "nonProgrammed")) sums.annotatedMs += durationMs;
}
