import { roundUnits } from "../../oee/units.ts";

// The total of a target is the last stated total, plus reports for later instants, plus the line's counts in runs that began then or later.

/** The maximum total that a report may lead to. */
const MAX_TOTAL = 2 ** 53;

/** One of the two totals of a target: of its correct units or of its defects. Units; times are epoch ms. */
export interface Total {
  /** The last stated total, plus later reports. */
  reported: number;
  /** The instant for which a total was last stated; null: never. */
  statedAt: number | null;
  /** Units that the line counted since then. */
  counted: number;
  /** Since the instant of a report: units counted by the line, and units reported for later instants. */
  countedSince: number;
  reportedSince: number;
}

/** A report of units for a total. */
interface Report {
  /** `delta` adds to it, `absolute` states it. */
  mode: "delta" | "absolute";
  occurredAt: number;
  units: number;
}

/**
 * The total after a report. A report for an instant before the last stated total changes nothing.
 *
 * Example: 100 stated for 9:00 and 20 more reported for 10:00 make `reported` 120. If 50 is then stated for 9:30, it becomes 50 + 20 = 70.
 * @returns null if the total would fall below 0 or exceed 2^53. Late counts of the line may lead there, a report may not.
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
