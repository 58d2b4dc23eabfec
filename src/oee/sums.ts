import { availabilityRatio, toMinutes, toPercent } from "./metrics.ts";
import { roundUnits } from "./units.ts";

/** Sums over parts of shifts: times in ms, counts, units. */
export interface Sums {
  availableMs: number;
  noDataMs: number;
  programmedMs: number;
  nonProgrammedMs: number;
  otherMs: number;
  annotatedMs: number;
  cycles: number;
  totalUnits: number;
  defectUnits: number;
  idealMs: number;
  lostByDefectsMs: number;
  /** Units that the standard in force allows in the scheduled time; none without a standard. */
  targetUnits: number;
}

/** Sums of nothing. */
export const noSums: Readonly<Sums> = {
  availableMs: 0,
  noDataMs: 0,
  programmedMs: 0,
  nonProgrammedMs: 0,
  otherMs: 0,
  annotatedMs: 0,
  cycles: 0,
  totalUnits: 0,
  defectUnits: 0,
  idealMs: 0,
  lostByDefectsMs: 0,
  targetUnits: 0,
};

const names = Object.keys(noSums) as (keyof Sums)[];

/** Adds some of the sums of others to sums, which it changes. */
export function addSums(sums: Sums, others: Readonly<Partial<Sums>>): void {
  for (const name of names) sums[name] += others[name] ?? 0;
}

/** Units of sums: exact to six decimals; the target to two. */
export function unitsOf({ totalUnits, defectUnits, targetUnits }: Pick<Sums, "totalUnits" | "defectUnits" | "targetUnits">) {
  return {
    total: roundUnits(totalUnits),
    defects: roundUnits(defectUnits),
    correct: roundUnits(totalUnits - defectUnits),
    target: Math.round(targetUnits * 100) / 100,
  };
}

/**
 * The figures of sums: minutes and percent with two decimals, units. Percentages are computed from the sums, by the definitions of a
 * shift's metrics (see metrics.ts).
 */
export function figuresOf(sums: Readonly<Sums>) {
  const unavailableMs = sums.programmedMs + sums.nonProgrammedMs;
  const availability = availabilityRatio(sums.availableMs, unavailableMs);
  const netAvailability = availabilityRatio(sums.availableMs, sums.nonProgrammedMs);
  const effectiveness = sums.availableMs > 0 ? sums.idealMs / sums.availableMs : 0;
  const quality = sums.totalUnits > 0 ? Math.max(0, (sums.totalUnits - sums.defectUnits) / sums.totalUnits) : 1;
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
    availability: toPercent(availability),
    netAvailability: toPercent(netAvailability),
    effectiveness: toPercent(effectiveness),
    quality: toPercent(quality),
    oee: toPercent(availability * effectiveness * quality),
    netOee: toPercent(netAvailability * effectiveness * quality),
  };
}
