import { clip, type Interval } from "./time.ts";
import type { Piece } from "./timeline.ts";

/** Each second of a shift is in exactly one bucket. */
export type Bucket = "available" | "noData" | "programmed" | "nonProgrammed" | "other";

/** A piece of the time line clipped to one shift. */
export interface Segment extends Interval {
  bucket: Bucket;
  /** Whether it is part of a stop with a general or specific cause. */
  isAnnotated: boolean;
}

/** Time per bucket in ms. The five buckets add up to the time that they cover. */
export interface TimeSums {
  availableMs: number;
  noDataMs: number;
  programmedMs: number;
  nonProgrammedMs: number;
  otherMs: number;
  /** Time in stops with a cause that are included in availability. */
  annotatedMs: number;
}

export const noTime: Readonly<TimeSums> = {
  availableMs: 0,
  noDataMs: 0,
  programmedMs: 0,
  nonProgrammedMs: 0,
  otherMs: 0,
  annotatedMs: 0,
};

/** Sums of a shift over [start, asOf). */
export interface ShiftSums extends TimeSums {
  asOf: number;
  /** The bucket at `asOf`, which continues until an event comes or a threshold is passed. Null: the shift is closed. */
  openBucket: Bucket | null;
  openIsAnnotated: boolean;
  /** Non-programmed time before the first available second; all of it while there is none. */
  lateStartMs: number;
  /** Non-programmed time after the last available second; 0 when there is none. */
  nonProgrammedSinceAvailableMs: number;
}

/** Whether units are expected in a bucket: targets grow in available and non-programmed time. */
export function isScheduled(bucket: Bucket | null): boolean {
  return bucket === "available" || bucket === "nonProgrammed";
}

/** Adds time in a bucket to sums, which it changes. */
export function addTime(
  sums: TimeSums,
  durationMs: number,
  { bucket, isAnnotated }: Pick<Segment, "bucket" | "isAnnotated">,
): void {
  sums[`${bucket}Ms`] += durationMs;
  if (isAnnotated && (bucket === "programmed" || bucket === "nonProgrammed")) sums.annotatedMs += durationMs;
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
    ...noTime,
    lateStartMs: 0,
    nonProgrammedSinceAvailableMs: 0,
  };
  for (const segment of segments) addShiftTime(sums, segment.end - segment.start, segment);
  return sums;
}

/**
 * The sums of a running shift at a later instant if no event came since `asOf`: the open bucket continues.
 * For a closed shift or an instant before `asOf`, the sums stay as they are.
 */
export function extendSums(sums: ShiftSums, until: number): ShiftSums {
  if (sums.openBucket === null || until <= sums.asOf) return sums;
  const extended = { ...sums, asOf: until };
  addShiftTime(extended, until - sums.asOf, { bucket: sums.openBucket, isAnnotated: sums.openIsAnnotated });
  return extended;
}

function addShiftTime(sums: ShiftSums, durationMs: number, segment: Pick<Segment, "bucket" | "isAnnotated">): void {
  addTime(sums, durationMs, segment);
  if (segment.bucket === "available") sums.nonProgrammedSinceAvailableMs = 0;
  if (segment.bucket === "nonProgrammed") {
    if (sums.availableMs === 0) sums.lateStartMs += durationMs;
    else sums.nonProgrammedSinceAvailableMs += durationMs;
  }
}
