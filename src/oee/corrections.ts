import type { Production } from "./production.ts";
import type { DeepReadonly } from "./read-only.ts";
import type { ShiftPart } from "./shift-parts.ts";
import { FIVE_MINUTES_MS, tripleAt } from "./shift-parts.ts";
import type { CorrectedUnits } from "./shift-record.ts";
import { roundUnits } from "./units.ts";

// A correction adds units to what was counted, or takes some away. It is applied to the parts of the shift of its instant, after they are made of the
// counts, so that nothing of what was counted is changed, and it holds whatever becomes of the counts later.

/** Units that a person added, or took away (below 0). */
export interface Correction {
  at: number;
  /** The SKU that they are of, and the work order that they are for. Null: not said. */
  skuId: string | null;
  workOrderId: string | null;
  total: number;
  /** Units that are rejected, those to rework included. */
  defects: number;
}

/** What became of a correction. */
export interface AppliedCorrection extends CorrectedUnits {
  skuId: string | null;
  workOrderId: string | null;
  /** Of each part that it changes, by its start. */
  parts: [start: number, total: number, defects: number][];
}

/** The sums of production that corrections change. */
const changed = [
  "totalUnits",
  "defectUnits",
  "unitsWithoutTime",
  "idealMs",
  "cyclesWithStandard",
  "lostByDefectsMs",
] as const satisfies (keyof Production)[];

type Changed = Pick<Production, (typeof changed)[number]>;

const UNITS = 0;
const DEFECTS = 1;

/**
 * The parts that a correction concerns: those of the shift with its SKU and order. What is not said is that of the part at its instant, or, if that
 * one has not what is said, of the nearest part that has it, an earlier one before a later one. Empty: the machine did not make this in the shift.
 */
function partsOf(
  parts: readonly ShiftPart[],
  { at, skuId, workOrderId }: Correction,
): { own: ShiftPart[]; home: ShiftPart | null } {
  const isMeant = (part: ShiftPart) =>
    (skuId === null || part.skuId === skuId) && (workOrderId === null || part.workOrderId === workOrderId);
  const atInstant = parts.findLast(({ startAt }) => startAt <= at) ?? parts[0];
  const earlier = parts.findLast((part) => part.startAt <= at && isMeant(part));
  const home = atInstant && isMeant(atInstant) ? atInstant : (earlier ?? parts.find(isMeant) ?? null);
  const own = home ? parts.filter((part) => part.skuId === home.skuId && part.workOrderId === home.workOrderId) : [];
  return { own, home };
}

/** The units of the SKU and order that a correction concerns in the parts of its shift; null: the machine did not make this in the shift. */
export function unitsFor(parts: readonly ShiftPart[], correction: Correction): CorrectedUnits | null {
  const { own, home } = partsOf(parts, correction);
  if (!home) return null;
  return {
    total: roundUnits(own.reduce((sum, { totalUnits }) => sum + totalUnits, 0)),
    defects: roundUnits(own.reduce((sum, { defectUnits }) => sum + defectUnits, 0)),
  };
}

/**
 * Applies corrections, one after the other, to the parts of a shift, which it changes. Units are added at the instant of the correction. They are
 * taken away there and then from earlier five minutes, then from later ones, as far as there are any: no sum gets below 0.
 * @returns what was applied of each; null if the machine did not make this in the shift
 */
export function applyCorrections(parts: readonly ShiftPart[], corrections: readonly Correction[]): (AppliedCorrection | null)[] {
  return corrections.map((one) => applyCorrection(parts, one));
}

function applyCorrection(parts: readonly ShiftPart[], correction: Correction): AppliedCorrection | null {
  const { own, home } = partsOf(parts, correction);
  if (!home) return null;
  const added = new Map<ShiftPart, [total: number, defects: number]>();
  const note = (part: ShiftPart, of: typeof UNITS | typeof DEFECTS, units: number) => {
    const sums = added.get(part) ?? [0, 0];
    sums[of] = roundUnits(sums[of] + units);
    added.set(part, sums);
  };
  const at = Math.min(Math.max(correction.at, home.startAt), home.endAt - 1);
  const n = Math.max(0, Math.floor((at - home.hourStart) / FIVE_MINUTES_MS));
  for (const [of, units] of [
    [UNITS, correction.total],
    [DEFECTS, correction.defects],
  ] as const) {
    if (units > 0) {
      const triple = tripleAt(home.fiveMinutes, n);
      triple[of] = roundUnits(triple[of] + units);
      note(home, of, units);
      continue;
    }
    let left = -units;
    for (const { part, triple } of fiveMinutesFrom(own, home, n)) {
      const taken = Math.min(left, Math.max(0, triple[of]));
      if (taken === 0) continue;
      triple[of] = roundUnits(triple[of] - taken);
      note(part, of, -taken);
      left = roundUnits(left - taken);
      if (left === 0) break;
    }
  }
  for (const [part, [total, defects]] of added) addToProduction(part, { total, defects });
  const sum = (of: typeof UNITS | typeof DEFECTS) => roundUnits([...added.values()].reduce((all, sums) => all + sums[of], 0));
  return {
    skuId: home.skuId,
    workOrderId: home.workOrderId,
    total: sum(UNITS),
    defects: sum(DEFECTS),
    parts: [...added].map(([{ startAt }, [total, defects]]) => [startAt, total, defects]),
  };
}

/** The five minutes of parts, from those of an instant back to the first, and then from there to the last. */
function fiveMinutesFrom(own: readonly ShiftPart[], home: ShiftPart, n: number) {
  const all = own.flatMap((part) => part.fiveMinutes.map((triple, i) => ({ part, triple, i })));
  const isLater = ({ part, i }: { part: ShiftPart; i: number }) => part.startAt > home.startAt || (part === home && i > n);
  return [...all.filter((one) => !isLater(one)).reverse(), ...all.filter(isLater)];
}

/** A unit counts for performance, and as a loss, with the standard time of a unit of the part. The machine's cycles stay as they were counted. */
function addToProduction(part: ShiftPart, { total, defects }: CorrectedUnits): void {
  const unitMs = part.unitStandardMs ?? 0;
  const countedMs = part.idealMs;
  part.totalUnits = roundUnits(part.totalUnits + total);
  part.defectUnits = roundUnits(part.defectUnits + defects);
  part.unitsWithoutTime = Math.min(part.unitsWithoutTime, part.totalUnits);
  part.idealMs = Math.max(0, countedMs + total * unitMs);
  // In proportion, so that the average standard stays.
  if (countedMs > 0) part.cyclesWithStandard = roundUnits((part.cyclesWithStandard * part.idealMs) / countedMs);
  part.lostByDefectsMs = Math.max(0, part.lostByDefectsMs + defects * unitMs);
}

/** What is left of a correction that changes nothing any more: what it was of, and for. */
export function nothingOf(applied: AppliedCorrection | null): AppliedCorrection | null {
  return applied && { ...applied, total: 0, defects: 0, parts: [] };
}

/** The production of a shift with its corrections: its own, plus what they changed in its parts. */
export function correctedProduction<Made extends Production>(
  made: Made,
  counted: readonly DeepReadonly<Changed>[],
  corrected: readonly DeepReadonly<Changed>[],
): Made {
  const sumOf = (parts: readonly DeepReadonly<Changed>[], name: keyof Changed) =>
    parts.reduce((sum, part) => sum + part[name], 0);
  const sums: Changed = { ...made };
  for (const name of changed) sums[name] = roundUnits(made[name] + sumOf(corrected, name) - sumOf(counted, name));
  return { ...made, ...sums };
}

/** The sum of what corrections changed; null: nothing. */
export function sumOfCorrections(applied: readonly (AppliedCorrection | null)[]): CorrectedUnits | null {
  const sum = { total: 0, defects: 0 };
  for (const one of applied) {
    sum.total = roundUnits(sum.total + (one?.total ?? 0));
    sum.defects = roundUnits(sum.defects + (one?.defects ?? 0));
  }
  return sum.total === 0 && sum.defects === 0 ? null : sum;
}
