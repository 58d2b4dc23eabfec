import type { CountEvent } from "./events.ts";
import type { DeepReadonly } from "./read-only.ts";
import type { Interval } from "./time.ts";
import { roundUnits } from "./units.ts";

/** The counts of one SKU. */
export interface SkuTally {
  /** Null: no SKU was set. */
  skuId: string | null;
  cycles: number;
  total: number;
  /** Units counted as rejected while no channel counted the good ones. */
  defects: number;
  /** Total minus good units, of counts while a channel counted good units beside the total. */
  notGood: number;
  /** Sum of cycles x the standard cycle in force at each, in ms. */
  idealMs: number;
  cyclesWithStandard: number;
  /** Those of the defects that were made earlier: before the shift, or as the SKU before. Absent: none. */
  late?: LateDefects;
  /** What is included above of counts whose time is not known: no performance is made of it. Absent: nothing. */
  withoutTime?: { units: number; idealMs: number; cyclesWithStandard: number };
}

/** What a ledger knows of a count besides its pulses. */
export interface CountFacts {
  /** The standard cycle in force; null: there is none. */
  standardMs: number | null;
  /** The result of `advanceSignal`. */
  hasTime: boolean;
  /** Those of its defects that were made earlier; null or absent: none. */
  late?: LateDefects | null;
}

/** Rejected units beyond those that their SKU had made in the shift when they were reported. */
export interface LateDefects {
  units: number;
  /** Their standard time, in ms. */
  standardMs: number;
}

/** What a machine made before an instant, of which units may still be rejected: plain data, part of the machine's saved state. */
export interface Rejectable {
  /** Cycles and units since the SKU was set. */
  cycles: number;
  total: number;
  /** The units among them that are not rejected. */
  left: number;
  /** The last SKU before it that was made, and its cycles per unit; null: none. */
  before: { skuId: string | null; cyclesPerUnit: number } | null;
}

/** The production from one SKU event to the next: plain data, part of the machine's saved state. */
export interface OrderRun {
  start: number;
  /** Null: no order. */
  workOrderId: string | null;
  /** The order that was made until it was closed, at the start of this run. Absent: none. */
  closedOrderId?: string;
  made: SkuTally;
  /** What is included above of counts outside every shift. Absent: nothing. */
  outsideShifts?: SkuTally;
}

interface OperatorTally {
  units: number;
  /** The SKU of the latest units; null when there are none, or they had none. */
  skuId: string | null;
}

/** The units counted outside every shift in one local hour: plain data, part of the machine's saved state. */
export interface OutsideHour extends Interval {
  /** Good units: total - defects. Below 0 if more was rejected than made in this hour. */
  units: number;
}

/** The counts of one shift occurrence: plain data, part of the machine's saved state. */
export interface ShiftTally {
  start: number;
  end: number;
  perSku: SkuTally[];
  perOperator: Record<string, OperatorTally>;
  /** The last counts whose time is not known: when, and how many units. Absent: none. */
  withoutTime?: [at: number, units: number][];
}

/** Production of a shift: the inputs of cycleCount, total, effectiveness, quality and cycleSpeed. */
export interface Production {
  cycles: number;
  totalUnits: number;
  defectUnits: number;
  /** Units of `totalUnits` that were made in time of which nothing is known: performance leaves them out. */
  unitsWithoutTime: number;
  /** As in the tally, without what has no time. */
  idealMs: number;
  cyclesWithStandard: number;
  /** Sum over the defects of the standard time of a unit of their SKU, in ms. */
  lostByDefectsMs: number;
}

export const nothingMade: Readonly<Production> = {
  cycles: 0,
  totalUnits: 0,
  defectUnits: 0,
  unitsWithoutTime: 0,
  idealMs: 0,
  cyclesWithStandard: 0,
  lostByDefectsMs: 0,
};

const noLateDefects: Readonly<LateDefects> = { units: 0, standardMs: 0 };

/** A speed is made of the last minutes, in which there are far fewer of these counts. */
const MOST_WITHOUT_TIME = 100;

/** The units of a shift in an interval whose time is not known. */
export function unitsWithoutTimeIn(tally: DeepReadonly<ShiftTally> | null, { start, end }: Interval): number {
  const inside = (tally?.withoutTime ?? []).filter(([at]) => start <= at && at < end);
  return inside.reduce((sum, [, units]) => sum + units, 0);
}

/** An empty tally of the occurrence [start, end). */
export function emptyTally(start: number, end: number): ShiftTally {
  return { start, end, perSku: [], perOperator: {} };
}

/** The tally of a SKU in a shift, which is added if it is missing. */
export function skuIn(tally: ShiftTally, skuId: string | null): SkuTally {
  const known = tally.perSku.find((one) => one.skuId === skuId);
  if (known) return known;
  const sku = emptySku(skuId);
  tally.perSku.push(sku);
  return sku;
}

/** Adds a count to a tally, which it changes. Each operator present is credited in full. */
export function addCount(
  tally: ShiftTally,
  count: CountEvent,
  skuId: string | null,
  operatorIds: readonly string[],
  facts: CountFacts,
): void {
  addToSku(skuIn(tally, skuId), count, facts);
  if (count.total === 0) return;
  if (!facts.hasTime)
    tally.withoutTime = [...(tally.withoutTime ?? []), [count.at, count.total] as [number, number]].slice(-MOST_WITHOUT_TIME);
  for (const id of operatorIds) {
    const credited = tally.perOperator[id]?.units ?? 0;
    tally.perOperator[id] = { units: roundUnits(credited + count.total), skuId };
  }
}

/** An empty tally of a SKU. */
export function emptySku(skuId: string | null): SkuTally {
  return { skuId, cycles: 0, total: 0, defects: 0, notGood: 0, idealMs: 0, cyclesWithStandard: 0 };
}

/** Nothing was made since the SKU was set. */
export function nothingRejectable(before: Rejectable["before"] = null): Rejectable {
  return { cycles: 0, total: 0, left: 0, before };
}

/** The same after a change to another SKU. */
export function rejectableAfter(made: Rejectable, skuId: string | null): Rejectable {
  return nothingRejectable(made.total > 0 ? { skuId, cyclesPerUnit: made.cycles / made.total } : made.before);
}

/**
 * Adds a count to what was made, which it changes, and finds the rejected units that were made earlier: those beyond the units that the SKU
 * has made in the shift. They belong to the units of the SKU before the shift, and those beyond these to the SKU before. Each costs the
 * standard of the SKU that it belongs to, in force now. Without any unit to go by, a unit is taken to be a cycle.
 * @param sku the SKU's tally of the shift, without the count; null outside shifts
 * @param standardOf the standard cycle of a SKU in ms; null: none
 */
export function lateDefects(
  made: Rejectable,
  count: CountEvent,
  sku: DeepReadonly<SkuTally> | null,
  skuId: string | null,
  standardOf: (skuId: string | null) => number | null,
): LateDefects | null {
  made.cycles += count.cycles;
  made.total = roundUnits(made.total + count.total);
  made.left = roundUnits(made.left + count.total);
  const defects = count.good === null ? count.defects : 0;
  if (defects === 0) return null;
  const rejected = (sku?.defects ?? 0) - (sku?.late?.units ?? 0);
  const inShift = Math.min(defects, Math.max(0, (sku?.total ?? 0) + count.total - rejected));
  const own = Math.min(defects, Math.max(inShift, made.left));
  made.left = roundUnits(Math.max(0, made.left - defects));
  const units = roundUnits(defects - inShift);
  if (units === 0) return null;
  const ownCost = (standardOf(skuId) ?? 0) * (made.total > 0 ? made.cycles / made.total : 1);
  const { before } = made;
  const costBefore = before ? (standardOf(before.skuId) ?? 0) * before.cyclesPerUnit : ownCost;
  return { units, standardMs: (own - inShift) * ownCost + (defects - own) * costBefore };
}

/** Adds a count to a SKU's tally, which it changes. */
export function addToSku(sku: SkuTally, count: CountEvent, { standardMs, hasTime, late = null }: CountFacts): void {
  sku.cycles += count.cycles;
  sku.total = roundUnits(sku.total + count.total);
  if (count.good === null) sku.defects = roundUnits(sku.defects + count.defects);
  else sku.notGood = roundUnits(sku.notGood + count.total - count.good);
  if (standardMs !== null) {
    sku.idealMs += count.cycles * standardMs;
    sku.cyclesWithStandard += count.cycles;
  }
  if (late) {
    const { units, standardMs: lateMs } = sku.late ?? noLateDefects;
    sku.late = { units: roundUnits(units + late.units), standardMs: lateMs + late.standardMs };
  }
  if (hasTime) return;
  const { units, idealMs, cyclesWithStandard } = sku.withoutTime ?? { units: 0, idealMs: 0, cyclesWithStandard: 0 };
  sku.withoutTime = {
    units: roundUnits(units + count.total),
    idealMs: idealMs + count.cycles * (standardMs ?? 0),
    cyclesWithStandard: cyclesWithStandard + (standardMs === null ? 0 : count.cycles),
  };
}

/** Adds a count outside every shift to its hour, which it changes. */
export function addToOutsideHour(hour: OutsideHour, { total, good, defects }: CountEvent): void {
  hour.units = roundUnits(hour.units + (good ?? total - defects));
}

/** Adds a count to a run, which it changes. */
export function addToRun(run: OrderRun, count: CountEvent, facts: CountFacts, isInShift: boolean): void {
  addToSku(run.made, count, facts);
  if (isInShift) return;
  run.outsideShifts ??= emptySku(run.made.skuId);
  addToSku(run.outsideShifts, count, facts);
}

/**
 * The standard time of defects, in ms.
 * @param sku the shift's tally of their SKU: those of its units cost the average of them
 * @param counted the tally of the same SKU in which the defects are, which is that of the shift or of a part
 */
export function lostByDefects(
  { idealMs, total }: Pick<SkuTally, "idealMs" | "total">,
  { late = noLateDefects }: Pick<SkuTally, "late">,
  defects: number,
): number {
  return (total > 0 ? ((defects - late.units) * idealMs) / total : 0) + late.standardMs;
}

/** The part of a tally that performance is made of, and the units that it leaves out. */
export function performedOf({ idealMs, cyclesWithStandard, withoutTime }: DeepReadonly<SkuTally>) {
  return {
    unitsWithoutTime: withoutTime?.units ?? 0,
    idealMs: idealMs - (withoutTime?.idealMs ?? 0),
    cyclesWithStandard: cyclesWithStandard - (withoutTime?.cyclesWithStandard ?? 0),
  };
}

/**
 * Rejected units of each of several SKUs that were made one after another: total - good where good units are counted, otherwise the
 * counted defects. Good units beyond a SKU's total were made before the change of SKU, but counted as good after it: they settle the
 * deficit of the nearest SKU before. Example: so far 98 of 100 units of A are good, and 52 of 50 of B: no defects.
 */
export function defectsOf(skus: readonly Pick<SkuTally, "defects" | "notGood">[]): number[] {
  const defects: number[] = [];
  let surplus = 0;
  for (const sku of skus.toReversed()) {
    const deficit = Math.max(0, sku.notGood);
    const settled = Math.min(deficit, surplus);
    surplus += Math.max(0, -sku.notGood) - settled;
    defects.push(roundUnits(sku.defects + deficit - settled));
  }
  return defects.reverse();
}

/**
 * Divides the defects of one SKU among the counts that they come from, in order of time: counted defects where they were counted, deficits of
 * good units where they arose. Good units beyond a total settle the nearest deficit before them, then those after: a good unit may be counted
 * a moment before its total.
 * @param total the SKU's defects by `defectsOf`; fewer than in its counts if good units of a later SKU settled some
 * @returns the defects of each count, which add up to the total
 */
export function spreadDefects(counts: readonly Pick<SkuTally, "defects" | "notGood">[], total: number): number[] {
  const open = counts.map(({ defects, notGood }) => ({ defects, deficit: Math.max(0, notGood), surplus: Math.max(0, -notGood) }));
  let surplus = 0;
  for (const one of open.toReversed()) surplus = settle(one, surplus + one.surplus);
  for (const one of open) surplus = settle(one, surplus);
  let excess = roundUnits(open.reduce((sum, { defects, deficit }) => sum + defects + deficit, 0) - total);
  for (const one of open.toReversed()) excess = settle(one, excess);
  return open.map(({ defects, deficit }) => roundUnits(defects + deficit));
}

/** Reduces a deficit by as much of a surplus as it can absorb. Returns the rest of the surplus. */
function settle(one: { deficit: number }, surplus: number): number {
  const settled = Math.max(0, Math.min(one.deficit, surplus));
  one.deficit -= settled;
  return surplus - settled;
}

/** Sums a tally over its SKUs; all zeros if nothing was counted. */
export function productionOf(tally: DeepReadonly<ShiftTally> | null): Production {
  const sum: Production = { ...nothingMade };
  const skus = tally?.perSku ?? [];
  const defectsPerSku = defectsOf(skus);
  for (const [i, sku] of skus.entries()) {
    const defects = defectsPerSku[i] as number;
    sum.cycles += sku.cycles;
    sum.totalUnits = roundUnits(sum.totalUnits + sku.total);
    sum.defectUnits = roundUnits(sum.defectUnits + defects);
    sum.lostByDefectsMs += lostByDefects(sku, sku, defects);
    const performed = performedOf(sku);
    sum.unitsWithoutTime = roundUnits(sum.unitsWithoutTime + performed.unitsWithoutTime);
    sum.idealMs += performed.idealMs;
    sum.cyclesWithStandard += performed.cyclesWithStandard;
  }
  return sum;
}
