import { HOUR_MS } from "./time.ts";
import { roundUnits } from "./units.ts";

export const machineStates = ["running", "idle", "down", "setup", "maintenance", "unavailable"] as const;
export type ReportedState = (typeof machineStates)[number];

/** What pulses count. Units are pulses times the counting factor of their channel. */
export interface Counts {
  /** Machine cycles: pulses of the channel that counts cycles. */
  cycles: number;
  total: number;
  defects: number;
  /** Units known to be good; null where no channel counts them beside the total. */
  good: number | null;
}

/** The counts of one channel's pulses. */
export interface CountEvent extends Counts {
  kind: "count";
  at: number;
  /** Everything that it counts was made between this instant and `at`, as its sender says. Absent: not said. */
  since?: number;
}

/**
 * Proves that data flows, at `at` or, with `since`, from then on.
 * @public for tests
 */
export interface SampleEvent {
  kind: "sample";
  at: number;
  since?: number;
}

/** A running total of a channel's pulses. What it counts depends on the readings before it. */
export interface ReadingEvent {
  kind: "reading";
  at: number;
  value: number;
  /** The name of the counter. */
  counter: string;
  /** The counter has fed the machine without a break since then. What it showed before is another machine's, too. */
  fedSince: number;
  /** What each pulse counts, not rounded; null: nothing, because counting is disabled. */
  perPulse: Counts | null;
  /** Absent: the counter does not wrap. `pulsesPerCycle` is what the set-up says. */
  wraps?: { at: number; pulsesPerCycle: number };
  /** As in a count. */
  since?: number;
}

/** What is made, and for which work order (null: none). */
export interface Run {
  skuId: string;
  workOrderId: string | null;
}

/**
 * An event of a machine's ledger whose meaning does not depend on others; `at` is in epoch ms. A `cut` comes from the service itself: it splits the
 * run of a work order in two, so that production before and after it is counted separately. With `order`, the order was closed at that time, and
 * production is for no order from then on; or it was reopened, and production is for the order again. With `isReplaced`,
 * it says what would hold without the amendment that is in force at its time.
 */
export type LedgerEvent =
  | CountEvent
  | SampleEvent
  | { kind: "state"; at: number; state: ReportedState }
  | { kind: "operator"; at: number; operatorId: number; action: "in" | "out"; isReplaced?: true }
  | ({ kind: "sku"; at: number; isReplaced?: true } & Run)
  | { kind: "cut"; at: number; workOrderId: string; order?: "closed" | "reopened" };

/** An event of a machine as it is stored. */
export type MachineEvent = LedgerEvent | ReadingEvent;

/**
 * Where an amendment says something else than before: what is made, or which operators are there, from then on. Null: what the events say. Absent:
 * that does not change.
 */
export interface AmendedEvent {
  kind: "amended";
  at: number;
  run?: Run | null;
  present?: readonly number[] | null;
}

/** An event as a ledger takes it. */
export type FoldedEvent = MachineEvent | AmendedEvent;

/**
 * The order of events at one instant: the SKU and operators that a count is credited to come before it. Stored with each event: never renumber.
 * Amendments are not stored as events.
 */
export const kindOrder: Record<FoldedEvent["kind"], number> = {
  amended: -1,
  ...{ sku: 0, operator: 1, cut: 1, state: 2 },
  ...{ sample: 3, count: 3, reading: 3 },
};

export type ChannelType = "cycle" | "total" | "good" | "defect" | "rework";

/** The types of channels that a machine has. They determine together what each channel counts. */
export interface ChannelSet {
  hasCycleChannel: boolean;
  hasTotalChannel: boolean;
  hasGoodChannel: boolean;
}

/** Returns the set for these types. */
export function channelSetOf(types: readonly ChannelType[]): ChannelSet {
  return {
    hasCycleChannel: types.includes("cycle"),
    hasTotalChannel: types.includes("total"),
    hasGoodChannel: types.includes("good"),
  };
}

/** The longest time that an event may cover with its `since`: an earlier one means this much before its `at`. Ledgers keep this much open. */
export const LONGEST_COVER_MS = 48 * HOUR_MS;

/**
 * What each pulse of a channel counts, not rounded. Cycles come from `cycle`, or from `total` where there is no `cycle`; units from `total`, or
 * from `cycle` where there is no `total`, and good units then from `good`. Without either of the two each good, defect or rework
 * pulse is a cycle and adds to the total. Rework is a defect.
 */
export function perPulse(
  { type, countingFactor }: { type: ChannelType; countingFactor: number },
  { hasCycleChannel, hasTotalChannel, hasGoodChannel }: ChannelSet,
): Counts {
  const hasOwnTotal = hasCycleChannel || hasTotalChannel;
  const isDefect = type === "defect" || type === "rework";
  const isCycle = hasOwnTotal ? type === (hasCycleChannel ? "cycle" : "total") : true;
  const addsToTotal = hasOwnTotal ? type === (hasTotalChannel ? "total" : "cycle") : true;
  return {
    cycles: isCycle ? 1 : 0,
    total: addsToTotal ? countingFactor : 0,
    defects: isDefect ? countingFactor : 0,
    good: hasOwnTotal && hasGoodChannel ? (type === "good" ? countingFactor : 0) : null,
  };
}

/** The count of `pulses` (> 0). */
export function countOf(at: number, pulses: number, { cycles, total, defects, good }: Counts): CountEvent {
  return {
    kind: "count",
    at,
    cycles: pulses * cycles,
    total: roundUnits(pulses * total),
    defects: roundUnits(pulses * defects),
    good: good === null ? null : roundUnits(pulses * good),
  };
}

/** Converts `pulses` (> 0) of a channel to a count. */
export function countEvent(
  at: number,
  channel: { type: ChannelType; countingFactor: number },
  pulses: number,
  set: ChannelSet,
): CountEvent {
  return countOf(at, pulses, perPulse(channel, set));
}

/** The units that a count would add: in total, or else rejected or good ones. */
export function unitsOf({ total, defects, good, cycles }: CountEvent): number {
  return [total, defects, good ?? 0].find((units) => units > 0) ?? cycles;
}
