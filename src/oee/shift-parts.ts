import type { ChartBucket } from "./buckets.ts";
import type { CountEvent } from "./events.ts";
import {
  addToSku,
  type CountFacts,
  defectsOf,
  emptySku,
  lostByDefects,
  nothingMade,
  type OrderRun,
  type Production,
  performedOf,
  type ShiftTally,
  type SkuTally,
  spreadDefects,
} from "./production.ts";
import type { DeepReadonly } from "./read-only.ts";
import { addTime, type Bucket, isScheduled, noTime, type Segment, type TimeSums } from "./shift-ledger.ts";
import type { ShiftRecord } from "./shift-record.ts";
import { hourAt } from "./shifts.ts";
import { clip, HOUR_MS, MINUTE_MS } from "./time.ts";
import { roundUnits } from "./units.ts";

// A *part* of a shift is its time in one local hour and one run (of one SKU and one work order), with one standard and counting factor.

export const FIVE_MINUTES_MS = 5 * MINUTE_MS;

/** The counts of one part of a shift: plain data, part of the machine's saved state. */
export interface PartTally {
  /** The part's start. */
  start: number;
  /** The time up to which counts of the run belong to it: the end of the local hour or of the shift. */
  end: number;
  hourStart: number;
  /** The start of the shift. */
  shiftStart: number;
  made: SkuTally;
  /** `[total, defects, notGood]` of each 5 minutes from the start of the hour, up to the last with counts. */
  fiveMinutes: Triple[];
}

/** The time and counts of one part of a shift. The sums over the parts of a shift are those of its record. */
export interface ShiftPart extends TimeSums, Production {
  startAt: number;
  /** In the last part of a running shift: the end of its local hour, or of the shift if that is earlier. */
  endAt: number;
  hourStart: number;
  skuId: string | null;
  workOrderId: string | null;
  /** Set only in the last part of a running shift: its sums are as of this instant, and `openBucket` continues from it. */
  asOf: number | null;
  openBucket: Bucket | null;
  openIsAnnotated: boolean;
  /** Standard time of one unit; null without a standard. */
  unitStandardMs: number | null;
  /** `[units, defects, scheduledMs]` of each 5 minutes from the start of the hour, up to the last that is not empty. */
  fiveMinutes: Triple[];
}

type Triple = [number, number, number];

export interface ShiftPartsInputs {
  /** The local hours of the shift, in order and clipped to it. */
  hours: readonly ChartBucket[];
  record: Pick<ShiftRecord, "segments" | "sums">;
  /** The runs that overlap the shift, in order. */
  runs: readonly DeepReadonly<OrderRun>[];
  /** The counts of the shift (null: none), and those of its parts in order. */
  tally: DeepReadonly<ShiftTally> | null;
  tallies: readonly DeepReadonly<PartTally>[];
  /** The standard cycle of a SKU at an instant; null: there is none. */
  standardAt: (skuId: string | null, at: number) => number | null;
  unitsPerCycleAt: (at: number) => UnitsPerCycle;
  /** Instants at which standards or units per cycle may change, in any order. */
  changes: readonly number[];
}

/** The units per cycle by the set-up. `isExact` is false if cycles and units are counted apart: what was made then tells more. */
export interface UnitsPerCycle {
  units: number;
  isExact: boolean;
}

/**
 * An empty tally of the part for counts in an hour and a run (null: before the first).
 * @param settingsSince the start of the settings in force
 */
export function emptyPart(
  shiftStart: number,
  hour: ChartBucket,
  settingsSince: number,
  { run, skuId }: { run: DeepReadonly<OrderRun> | null; skuId: string | null },
): PartTally {
  const start = Math.max(hour.start, run?.start ?? hour.start, settingsSince);
  return { start, end: hour.end, hourStart: hour.x, shiftStart, made: emptySku(skuId), fiveMinutes: [] };
}

/** Adds a count to the tally of its part, which it changes. */
export function addToPart(part: PartTally, count: CountEvent, facts: CountFacts): void {
  addToSku(part.made, count, facts);
  const counted = tripleAt(part.fiveMinutes, Math.floor((count.at - part.hourStart) / FIVE_MINUTES_MS));
  counted[0] = roundUnits(counted[0] + count.total);
  if (count.good === null) counted[1] = roundUnits(counted[1] + count.defects);
  else counted[2] = roundUnits(counted[2] + count.total - count.good);
}

/** The parts of a shift, in order. They cover it from its start, or the commissioning, to the end of its last hour so far. */
export function shiftParts(inputs: ShiftPartsInputs): ShiftPart[] {
  const { record, tally, tallies, standardAt, unitsPerCycleAt } = inputs;
  const parts = emptyParts(inputs);
  addTimes(parts, record.segments);
  if (tally) addCounts(parts, tally, tallies);
  const lastUnitsPerCycle = new Map<string | null, number>();
  return parts.map((part) => {
    // It holds for the whole part: a change begins another one.
    const standardMs = standardAt(part.skuId, part.startAt);
    const { units, isExact } = unitsPerCycleAt(part.startAt);
    if (part.cycles > 0 && part.totalUnits > 0) lastUnitsPerCycle.set(part.skuId, part.totalUnits / part.cycles);
    // If nothing was made, the last value is kept, so that the target of a silent machine does not change when the next hour begins.
    const unitsPerCycle = isExact ? units : (lastUnitsPerCycle.get(part.skuId) ?? units);
    return { ...part, unitStandardMs: standardMs === null ? null : standardMs / unitsPerCycle };
  });
}

/**
 * A shift as a single part, for shifts whose counts were not kept by part.
 * @param from the start of the record: the shift's start, or the commissioning
 */
export function wholeShift({ sums, made }: Pick<ShiftRecord, "sums" | "made">, from: number, shiftEnd: number): ShiftPart {
  const isOpen = sums.openBucket !== null;
  const hasRatio = made.cyclesWithStandard > 0 && made.totalUnits > 0;
  const perCycleMs = made.idealMs / made.cyclesWithStandard;
  return {
    startAt: from,
    endAt: isOpen ? shiftEnd : sums.asOf,
    hourStart: from,
    skuId: null,
    workOrderId: null,
    asOf: isOpen ? sums.asOf : null,
    openBucket: sums.openBucket,
    openIsAnnotated: sums.openIsAnnotated,
    availableMs: sums.availableMs,
    noDataMs: sums.noDataMs,
    programmedMs: sums.programmedMs,
    nonProgrammedMs: sums.nonProgrammedMs,
    otherMs: sums.otherMs,
    annotatedMs: sums.annotatedMs,
    cycles: made.cycles,
    totalUnits: made.totalUnits,
    defectUnits: made.defectUnits,
    unitsWithoutTime: made.unitsWithoutTime,
    idealMs: made.idealMs,
    cyclesWithStandard: made.cyclesWithStandard,
    lostByDefectsMs: made.lostByDefectsMs,
    unitStandardMs: hasRatio ? (perCycleMs * made.cycles) / made.totalUnits : made.standardCycleMs,
    fiveMinutes: [],
  };
}

/** The units that the standard requires in the scheduled time of a part. */
export function targetOf({ availableMs, nonProgrammedMs, unitStandardMs }: ShiftPart): number {
  return targetUnitsIn(availableMs + nonProgrammedMs, unitStandardMs);
}

/**
 * The units that the standard requires in some scheduled time; 0 without a standard.
 * @param unitStandardMs standard time of one unit
 */
export function targetUnitsIn(scheduledMs: number, unitStandardMs: number | null): number {
  return unitStandardMs === null ? 0 : scheduledMs / unitStandardMs;
}

/**
 * The last part of a running shift at a later instant if no event came since: its bucket continues, over as many hours as needed, but
 * not beyond the end of the shift. A part that is not open stays as it is.
 */
export function extendPart<Part extends ShiftPart>(part: Part, until: number, shiftEnd: number): Part[] {
  const { asOf, openBucket: bucket, openIsAnnotated: isAnnotated } = part;
  const end = Math.min(until, shiftEnd);
  if (asOf === null || bucket === null || end <= asOf) return [part];
  const extended: Part[] = [];
  let last: Part = { ...part, fiveMinutes: part.fiveMinutes.map((triple): Triple => [...triple]) };
  for (let from = asOf; ; from = last.startAt) {
    addSegment(last, { start: from, end: Math.min(end, last.endAt), bucket, isAnnotated });
    extended.push(last);
    if (end < last.endAt || last.endAt >= shiftEnd) break;
    const { endAt } = last;
    Object.assign(last, { asOf: null, openBucket: null, openIsAnnotated: false });
    const following = { startAt: endAt, hourStart: endAt, endAt: Math.min(endAt + HOUR_MS, shiftEnd), fiveMinutes: [] };
    last = { ...part, ...noTime, ...nothingMade, ...following };
  }
  last.asOf = end;
  return extended;
}

function emptyParts({
  hours,
  record: { segments, sums },
  runs,
  changes,
  standardAt,
  unitsPerCycleAt,
}: ShiftPartsInputs): ShiftPart[] {
  const { asOf, openBucket, openIsAnnotated } = sums;
  const isOpen = openBucket !== null;
  // A running shift that begins right now has no segment yet.
  const start = segments[0]?.start ?? asOf;
  const isWithin = (at: number) => start < at && (at < asOf || (at === asOf && isOpen));
  const runAt = (at: number) => runs.findLast((one) => one.start <= at);
  const isChange = (at: number) => {
    const skuId = runAt(at)?.made.skuId ?? null;
    const [before, after] = [unitsPerCycleAt(at - 1), unitsPerCycleAt(at)];
    return (
      standardAt(skuId, at - 1) !== standardAt(skuId, at) || before.units !== after.units || before.isExact !== after.isExact
    );
  };
  const cuts = changes.filter((at) => isWithin(at) && isChange(at));
  const edges = new Set([...[...hours, ...runs].map((one) => one.start).filter(isWithin), ...cuts]);
  const starts = segments.length > 0 || isOpen ? [start, ...[...edges].sort((a, b) => a - b)] : [];
  return starts.map((startAt, i) => {
    const isLast = i === starts.length - 1;
    const hour = hourAt(hours, startAt);
    const run = runAt(startAt);
    const lastEnd = isOpen ? hour.end : asOf;
    return {
      startAt,
      endAt: starts[i + 1] ?? lastEnd,
      hourStart: hour.x,
      skuId: run?.made.skuId ?? null,
      workOrderId: run?.workOrderId ?? null,
      asOf: isLast && isOpen ? asOf : null,
      openBucket: isLast ? openBucket : null,
      openIsAnnotated: isLast && openIsAnnotated,
      ...noTime,
      ...nothingMade,
      unitStandardMs: null,
      fiveMinutes: [],
    };
  });
}

function addTimes(parts: readonly ShiftPart[], segments: readonly Segment[]): void {
  for (const segment of segments) {
    for (const part of parts) {
      const common = clip(segment, part.startAt, part.endAt);
      if (common) addSegment(part, { ...segment, ...common });
    }
  }
}

function addSegment(part: ShiftPart, segment: Segment): void {
  const { start, end, bucket } = segment;
  addTime(part, end - start, segment);
  if (!isScheduled(bucket)) return;
  for (let from = start; from < end; ) {
    const n = Math.floor((from - part.hourStart) / FIVE_MINUTES_MS);
    const to = Math.min(end, part.hourStart + (n + 1) * FIVE_MINUTES_MS);
    tripleAt(part.fiveMinutes, n)[2] += to - from;
    from = to;
  }
}

/** Adds the counts of a shift. The defects of each SKU are those of the record, divided among its parts. */
function addCounts(
  parts: readonly ShiftPart[],
  { perSku }: DeepReadonly<ShiftTally>,
  tallies: readonly DeepReadonly<PartTally>[],
): void {
  const defectsPerSku = defectsOf(perSku);
  for (const [i, sku] of perSku.entries()) {
    const own = tallies.filter(({ made }) => made.skuId === sku.skuId);
    const counted = own.flatMap(({ fiveMinutes }) => fiveMinutes.map(([, defects, notGood]) => ({ defects, notGood })));
    const rejected = spreadDefects(counted, defectsPerSku[i] as number).values();
    for (const tally of own) {
      // If the machine was decommissioned with effect in the past, counts after that belong to the last part that is left.
      const part = parts.findLast((one) => one.startAt <= tally.start) ?? parts[0];
      if (part) addTally(part, tally, sku, rejected);
    }
  }
}

function addTally(
  part: ShiftPart,
  { made, hourStart, fiveMinutes }: DeepReadonly<PartTally>,
  sku: DeepReadonly<SkuTally>,
  rejected: Iterator<number>,
): void {
  part.cycles += made.cycles;
  part.totalUnits = roundUnits(part.totalUnits + made.total);
  const performed = performedOf(made);
  part.unitsWithoutTime = roundUnits(part.unitsWithoutTime + performed.unitsWithoutTime);
  part.idealMs += performed.idealMs;
  part.cyclesWithStandard += performed.cyclesWithStandard;
  const first = Math.max(0, Math.floor((hourStart - part.hourStart) / FIVE_MINUTES_MS));
  let rejectedUnits = 0;
  for (const [n, [units]] of fiveMinutes.entries()) {
    const defects = rejected.next().value as number;
    const triple = tripleAt(part.fiveMinutes, first + n);
    triple[0] = roundUnits(triple[0] + units);
    triple[1] = roundUnits(triple[1] + defects);
    part.defectUnits = roundUnits(part.defectUnits + defects);
    rejectedUnits = roundUnits(rejectedUnits + defects);
  }
  part.lostByDefectsMs += lostByDefects(sku, made, rejectedUnits);
}

/** Returns the n-th triple of a list, and fills the list up to it. */
export function tripleAt(triples: Triple[], n: number): Triple {
  while (triples.length <= n) triples.push([0, 0, 0]);
  return triples[n] as Triple;
}
