import { chartBuckets } from "../../../oee/buckets.ts";
import { bucketIndexOf, type ReportBuckets } from "../../../oee/report-buckets.ts";
import { addTime, isScheduled, noTime } from "../../../oee/shift-ledger.ts";
import { targetUnitsIn } from "../../../oee/shift-parts.ts";
import type { Sums } from "../../../oee/sums.ts";
import type { OpenPart } from "./queries.ts";

/** The time by which a running shift's last part has continued since it was written: the sums of one local hour, and its bucket's index. */
export interface Extension<P> {
  part: P;
  i: number;
  sums: Partial<Sums>;
}

type Extendable = Pick<
  OpenPart,
  "startAt" | "endAt" | "shiftEnd" | "day" | "asOf" | "openBucket" | "openIsAnnotated" | "unitStandardMs"
>;

/**
 * The extensions of parts up to now, or to the end of their shift, if no event arrived: their open bucket continues. The rest of the part's own
 * hour belongs to the part; each later hour is a part of its own. Each counts as a stored part does.
 */
export function extensionsOf<P extends Extendable>(
  parts: readonly P[],
  buckets: ReportBuckets,
  timezone: string,
  now: number,
): Extension<P>[] {
  return parts.flatMap((part) => {
    const until = Math.min(now, part.shiftEnd);
    if (until <= part.asOf) return [];
    return chartBuckets(timezone, "hour", { start: part.asOf, end: until }, Number.POSITIVE_INFINITY).flatMap(
      ({ start, end }) => {
        const i = bucketIndexOf(buckets, start < part.endAt ? part.startAt : start, part.day);
        return i < 0 ? [] : [{ part, i, sums: sumsOf(part, end - start) }];
      },
    );
  });
}

function sumsOf({ openBucket, openIsAnnotated, unitStandardMs }: Extendable, durationMs: number): Partial<Sums> {
  const time = { ...noTime };
  addTime(time, durationMs, { bucket: openBucket, isAnnotated: Boolean(openIsAnnotated) });
  return { ...time, targetUnits: isScheduled(openBucket) ? targetUnitsIn(durationMs, unitStandardMs) : 0 };
}
