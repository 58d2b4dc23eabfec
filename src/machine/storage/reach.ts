import { DAY_MS, HOUR_MS } from "../../oee/time.ts";

// Intervals that overlap a time are found by their starts, without those of the years after it: which start can reach that far back depends on the
// length, so intervals are divided into a few classes by their lengths. Each class is a range of an index (reach, start).

const NO_END = Number.MAX_SAFE_INTEGER;
/** The most that the intervals of each class last. */
const classes = [HOUR_MS, DAY_MS, 30 * DAY_MS];

/** The class of a row with the columns `start` and "end", as in an index. A row without an end is of the last one. */
const REACH_OF_ROW = `CASE ${classes.map((ms) => `WHEN "end" - start <= ${ms} THEN ${ms}`).join(" ")} ELSE ${NO_END} END`;

const reaches = `(${[...classes, NO_END].map((ms, i) => `SELECT ${ms}${i === 0 ? " AS most" : ""}`).join(" UNION ALL ")})`;

/**
 * The FROM and WHERE of a query for the rows of a table that overlap [?1, ?2). Its index must be on REACH_OF_ROW and `start`.
 * @param also a further condition: that of the index, if it is partial
 */
export function overlapping(table: string, also = "TRUE"): string {
  return `FROM ${reaches} AS reach CROSS JOIN ${table}
    ON ${REACH_OF_ROW} = reach.most AND start > ?1 - reach.most AND start < ?2 AND ${also}
    WHERE ifnull("end", ${NO_END}) > ?1`;
}
