import { roundUnits } from "../../oee/units.ts";

// The total of a target is what was last stated, what was reported for later, and what the line counted in runs that began then or later.

/** No report takes a total beyond it. */
const MAX_TOTAL = 2 ** 53;

/** One of the two totals of a target: of its correct units or of its defects. Units; times are epoch ms. */
export interface Total {
  /** What was last stated, and what was reported for later. */
  reported: number;
  /** For when a total was last stated; null: never. */
  statedAt: number | null;
  /** What the line counted since then. */
  counted: number;
  /** Since the instant of a report: counted by the line, and reported for later instants. */
  countedSince: number;
  reportedSince: number;
}

/** A report about a total. */
interface Report {
  /** `delta` adds to it, `absolute` states it. */
  mode: "delta" | "absolute";
  occurredAt: number;
  units: number;
}

/**
 * The total after a report. A report for an instant before the last stated total changes nothing.
 *
 * Stated 100 at 9:00 and 20 more reported for 10:00: `reported` is 120. If 50 is stated for 9:30, it becomes 50 + 20 = 70.
 * @returns null if the total would fall below 0 or grow beyond 2^53. Late counts of the line may take it there, a report may not.
 */
export function totalAfter(total: Total, { mode, occurredAt, units }: Report): Pick<Total, "reported" | "statedAt"> | null {
  const { reported, statedAt, counted } = total;
  if (statedAt !== null && occurredAt < statedAt) return { reported, statedAt };
  const isStated = mode === "absolute";
  const next = roundUnits(isStated ? units + total.reportedSince : reported + units);
  const before = roundUnits(reported + counted);
  const after = roundUnits(next + (isStated ? total.countedSince : counted));
  if (after < Math.min(0, before) || after > Math.max(MAX_TOTAL, before)) return null;
  return { reported: next, statedAt: isStated ? occurredAt : statedAt };
}
