import { type ChartBucket, chartBuckets } from "../../oee/buckets.ts";
import type { Sums } from "../../oee/sums.ts";
import type { OpenPart } from "./queries.ts";

/** What a running shift's last part has gone on for since it was written: sums of one local hour, and the place of its bucket. */
export interface Extension<P> {
  part: P;
  i: number;
  sums: Partial<Sums>;
}

type Extendable = Pick<OpenPart, "startAt" | "endAt" | "shiftEnd" | "asOf" | "openBucket" | "openIsAnnotated" | "unitStandardMs">;

/**
 * What parts have gone on for until now or the end of their shift, as if no event came: their bucket continues. The first hour belongs to
 * the part itself, each further one is a part of its own, which counts in the bucket in which it starts.
 */
export function extensionsOf<P extends Extendable>(
  parts: readonly P[],
  buckets: readonly ChartBucket[],
  timezone: string,
  now: number,
): Extension<P>[] {
  return parts.flatMap((part) => {
    const until = Math.min(now, part.shiftEnd);
    if (until <= part.asOf) return [];
    return chartBuckets(timezone, "hour", { start: part.asOf, end: until }, Number.POSITIVE_INFINITY).flatMap(
      ({ start, end }) => {
        const startsAt = start < part.endAt ? part.startAt : start;
        const i = buckets.findIndex((bucket) => bucket.start <= startsAt && startsAt < bucket.end);
        return i < 0 ? [] : [{ part, i, sums: sumsOf(part, end - start) }];
      },
    );
  });
}

function sumsOf({ openBucket, openIsAnnotated, unitStandardMs }: Extendable, durationMs: number): Partial<Sums> {
  const isUnavailable = openBucket === "programmed" || openBucket === "nonProgrammed";
  const isScheduled = openBucket === "available" || openBucket === "nonProgrammed";
  return {
    [`${openBucket}Ms`]: durationMs,
    annotatedMs: isUnavailable && openIsAnnotated ? durationMs : 0,
    targetUnits: isScheduled && unitStandardMs !== null ? durationMs / unitStandardMs : 0,
  };
}
