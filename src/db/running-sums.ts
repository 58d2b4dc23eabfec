import { type SQL, sql } from "drizzle-orm";
import type { Bucket, ShiftSums } from "../oee/shift-ledger.ts";
import { shiftRecords as r } from "./schema.ts";

/** The sums of a shift record that can be computed in SQL, in ms. */
type Sums = Record<
  Exclude<keyof ShiftSums, "asOf" | "openBucket" | "openIsAnnotated" | "nonProgrammedSinceAvailableMs"> | "earlyStopMs",
  SQL
>;

/**
 * The sums of a shift record as of an instant, equal to those of `extendSums`: a running shift has been in its open bucket since `as_of`. The
 * early stop is 0 until the shift has ended.
 */
export function sumsAt(now: number): Sums {
  const since = sql`max(0, min(${now}, ${r.endAt}) - ${r.asOf})`;
  const timeIn = (bucket: Bucket) => sql`iif(${r.openBucket} IS ${sql.raw(`'${bucket}'`)}, ${since}, 0)`;
  const [available, nonProgrammed] = [timeIn("available"), timeIn("nonProgrammed")];
  const isDown = sql`${r.openBucket} IN ('programmed', 'nonProgrammed')`;
  return {
    availableMs: sql`(${r.availableMs} + ${available})`,
    noDataMs: sql`(${r.noDataMs} + ${timeIn("noData")})`,
    programmedMs: sql`(${r.programmedMs} + ${timeIn("programmed")})`,
    nonProgrammedMs: sql`(${r.nonProgrammedMs} + ${nonProgrammed})`,
    otherMs: sql`(${r.otherMs} + ${timeIn("other")})`,
    annotatedMs: sql`(${r.annotatedMs} + iif(${r.openIsAnnotated} AND ${isDown}, ${since}, 0))`,
    // A machine that never ran has been late for the whole shift.
    lateStartMs: sql`(${r.lateStartMs} + iif(${r.availableMs} = 0, ${nonProgrammed}, 0))`,
    earlyStopMs: sql`(CASE WHEN ${r.endAt} > ${now} OR ${available} > 0 THEN 0
      ELSE ${r.nonProgrammedSinceAvailableMs} + iif(${r.availableMs} = 0, 0, ${nonProgrammed}) END)`,
  };
}
