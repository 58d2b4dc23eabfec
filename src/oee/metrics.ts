import type { Production } from "./production.ts";
import type { ShiftSums, TimeSums } from "./shift-ledger.ts";
import { HOUR_MS, MINUTE_MS } from "./time.ts";

/** A shift's indicators: minutes and percent with two decimals. */
export interface ShiftIndicators {
  unavailableTime: number;
  otherStopsTime: number;
  programmedDowntime: number;
  nonProgrammedDowntime: number;
  noDataTime: number;
  netAvailability: number;
  lateStartTime: number;
  earlyStopTime: number;
  availableTime: number;
  availability: number;
  annotatedDowntime: number;
}

/** A shift's production metrics: whole numbers, rounded half up from unrounded factors. */
export interface ProductionMetrics {
  averageCycleSpeed: number;
  cycleSpeed: number;
  cycleCount: number;
  actualSpeed: number;
  averageSpeed: number;
  defects: number;
  correct: number;
  total: number;
  minutesLostByLowSpeed: number;
  minutesLostByLowQuality: number;
  effectiveness: number;
  quality: number;
  netOee: number;
  oee: number;
  netAvailability: number;
  availability: number;
}

/** The inputs of production metrics in addition to the shift's sums. */
export interface ProductionInputs extends Production {
  /** Standard of the SKU in work, for a shift in which nothing ran; null without one. */
  standardCycleMs: number | null;
  /** Units and length of the last 10 minutes of running time (less when it ran less), without units whose time is not known. */
  recentUnits: number;
  recentMs: number;
}

/** The actual speed is computed over the last running time of this length. */
export const RECENT_MS = 10 * MINUTE_MS;

/** available / (available + downtime), 0 when both are 0. For net availability pass only the non-programmed downtime. */
export function availabilityRatio(availableMs: number, downtimeMs: number): number {
  return ratio(availableMs, availableMs + downtimeMs);
}

/** correct / total, at least 0. Without units it is 1, or 0 if units were rejected that were made earlier. */
function qualityRatio(totalUnits: number, defectUnits: number): number {
  if (totalUnits === 0) return defectUnits === 0 ? 1 : 0;
  return Math.max(0, (totalUnits - defectUnits) / totalUnits);
}

/** Indicators of a shift. Before the shift has ended (`isClosed`), its early stop is not known. */
export function shiftIndicators(sums: ShiftSums, isClosed: boolean): ShiftIndicators {
  const unavailableMs = sums.programmedMs + sums.nonProgrammedMs;
  return {
    unavailableTime: toMinutes(unavailableMs),
    otherStopsTime: toMinutes(sums.otherMs),
    programmedDowntime: toMinutes(sums.programmedMs),
    nonProgrammedDowntime: toMinutes(sums.nonProgrammedMs),
    noDataTime: toMinutes(sums.noDataMs),
    netAvailability: toPercent(availabilityRatio(sums.availableMs, sums.nonProgrammedMs)),
    lateStartTime: toMinutes(sums.lateStartMs),
    earlyStopTime: toMinutes(isClosed ? sums.nonProgrammedSinceAvailableMs : 0),
    availableTime: toMinutes(sums.availableMs),
    availability: toPercent(availabilityRatio(sums.availableMs, unavailableMs)),
    annotatedDowntime: toMinutes(sums.annotatedMs),
  };
}

/** OEE and its factors, not rounded: 0..1, except that effectiveness and values that contain it may exceed 1. */
export interface Factors {
  availability: number;
  netAvailability: number;
  effectiveness: number;
  quality: number;
  oee: number;
  netOee: number;
}

/**
 * OEE and its factors: effectiveness = ideal / available, quality = correct / total (see `qualityRatio`),
 * OEE = availability x effectiveness x quality. The net values count non-programmed downtime only.
 */
export function factorsOf(
  { availableMs, programmedMs, nonProgrammedMs }: Pick<TimeSums, "availableMs" | "programmedMs" | "nonProgrammedMs">,
  { idealMs, totalUnits, defectUnits }: Pick<Production, "idealMs" | "totalUnits" | "defectUnits">,
): Factors {
  const availability = availabilityRatio(availableMs, programmedMs + nonProgrammedMs);
  const netAvailability = availabilityRatio(availableMs, nonProgrammedMs);
  const effectiveness = ratio(idealMs, availableMs);
  const quality = qualityRatio(totalUnits, defectUnits);
  return {
    availability,
    netAvailability,
    effectiveness,
    quality,
    oee: availability * effectiveness * quality,
    netOee: netAvailability * effectiveness * quality,
  };
}

/** Production metrics of a shift. */
export function productionMetrics(sums: ShiftSums, made: ProductionInputs): ProductionMetrics {
  // Computed from the unrounded units.
  const factors = factorsOf(sums, made);
  const total = toInteger(made.totalUnits);
  const defects = toInteger(made.defectUnits);
  // The standard of the SKU in work says nothing about cycles that were made of others, without one.
  const standardSpeed =
    made.cycles > 0 ? ratio(made.cyclesWithStandard * HOUR_MS, made.idealMs) : ratio(HOUR_MS, made.standardCycleMs ?? 0);
  // No speed is made of units whose time is not known. Of the cycles, the same share is left out.
  const timedUnits = made.totalUnits - made.unitsWithoutTime;
  const timedCycles = made.totalUnits > 0 ? (made.cycles * timedUnits) / made.totalUnits : made.cycles;
  return {
    averageCycleSpeed: toInteger(ratio(timedCycles * HOUR_MS, sums.availableMs)),
    cycleSpeed: toInteger(standardSpeed),
    cycleCount: made.cycles,
    actualSpeed: toInteger(ratio(made.recentUnits * HOUR_MS, made.recentMs)),
    averageSpeed: toInteger(ratio(timedUnits * HOUR_MS, sums.availableMs)),
    defects,
    correct: total - defects,
    total,
    minutesLostByLowSpeed: toInteger(Math.max(0, sums.availableMs - made.idealMs) / MINUTE_MS),
    minutesLostByLowQuality: toInteger(made.lostByDefectsMs / MINUTE_MS),
    effectiveness: toInteger(100 * factors.effectiveness),
    quality: toInteger(100 * factors.quality),
    netOee: toInteger(100 * factors.netOee),
    oee: toInteger(100 * factors.oee),
    netAvailability: toInteger(100 * factors.netAvailability),
    availability: toInteger(100 * factors.availability),
  };
}

/** Minutes with two decimals. */
export function toMinutes(durationMs: number): number {
  return toHundredths(durationMs / MINUTE_MS);
}

/** Percent with two decimals. */
export function toPercent(value: number): number {
  return toHundredths(100 * value);
}

function toInteger(value: number): number {
  return roundHalfUp(value, 1);
}

/** Two decimals, as in `toMinutes`. */
export function toHundredths(value: number): number {
  return roundHalfUp(value, 100);
}

/** Rounds half up, including a half that is slightly too small as a binary fraction. */
function roundHalfUp(value: number, scale: number): number {
  return Math.floor(value * scale + 0.5 + 1e-9) / scale;
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
