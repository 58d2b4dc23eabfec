import { factorsOf, toHundredths, toMinutes, toPercent } from "./metrics.ts";
import type { Production } from "./production.ts";
import { noTime, type TimeSums } from "./shift-ledger.ts";
import { roundUnits } from "./units.ts";

/** Sums over parts of shifts: times in ms, counts, units. */
export interface Sums extends TimeSums, Omit<Production, "cyclesWithStandard"> {
  /** Units that the standard in force requires in the scheduled time; none without a standard. */
  targetUnits: number;
}

export const noSums: Readonly<Sums> = {
  ...noTime,
  cycles: 0,
  totalUnits: 0,
  defectUnits: 0,
  unitsWithoutTime: 0,
  idealMs: 0,
  lostByDefectsMs: 0,
  targetUnits: 0,
};

const names = Object.keys(noSums) as (keyof Sums)[];

/** Adds other sums to `sums`, which it changes; missing ones count as 0. */
export function addSums(sums: Sums, others: Readonly<Partial<Sums>>): void {
  for (const name of names) sums[name] += others[name] ?? 0;
}

/** The units of sums, rounded to six decimals; the target to two. */
export function unitsOf({ totalUnits, defectUnits, targetUnits }: Pick<Sums, "totalUnits" | "defectUnits" | "targetUnits">) {
  return {
    total: roundUnits(totalUnits),
    defects: roundUnits(defectUnits),
    correct: roundUnits(totalUnits - defectUnits),
    target: toHundredths(targetUnits),
  };
}

/**
 * The figures of sums: minutes and percent with two decimals, and units. Percentages are computed from the sums, by the definitions of a
 * shift's metrics (see metrics.ts).
 */
export function figuresOf(sums: Readonly<Sums>) {
  const unavailableMs = sums.programmedMs + sums.nonProgrammedMs;
  const factors = factorsOf(sums, sums);
  return {
    availableTime: toMinutes(sums.availableMs),
    unavailableTime: toMinutes(unavailableMs),
    programmedDowntime: toMinutes(sums.programmedMs),
    nonProgrammedDowntime: toMinutes(sums.nonProgrammedMs),
    otherStopsTime: toMinutes(sums.otherMs),
    noDataTime: toMinutes(sums.noDataMs),
    annotatedDowntime: toMinutes(sums.annotatedMs),
    stopTime: toMinutes(unavailableMs + sums.otherMs),
    idealTime: toMinutes(sums.idealMs),
    minutesLostByLowSpeed: toMinutes(Math.max(0, sums.availableMs - sums.idealMs)),
    minutesLostByLowQuality: toMinutes(sums.lostByDefectsMs),
    cycleCount: sums.cycles,
    ...unitsOf(sums),
    availability: toPercent(factors.availability),
    netAvailability: toPercent(factors.netAvailability),
    effectiveness: toPercent(factors.effectiveness),
    quality: toPercent(factors.quality),
    oee: toPercent(factors.oee),
    netOee: toPercent(factors.netOee),
  };
}
