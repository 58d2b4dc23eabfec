import { HOUR_MS } from "./time.ts";
import { roundUnits } from "./units.ts";

export const machineStates = ["running", "idle", "down", "setup", "maintenance", "unavailable"] as const;
export type ReportedState = (typeof machineStates)[number];

/** The counts of one channel's pulses. Units are pulses times the counting factor of the channel. */
export interface CountEvent {
  kind: "count";
  at: number;
  /** Machine cycles: pulses of the channel that counts cycles. */
  cycles: number;
  total: number;
  defects: number;
  /** Units known to be good; null where no channel counts them beside the total. */
  good: number | null;
  /** Everything that it counts was made between this instant and `at`, as its sender says. Absent: not said. */
  since?: number;
}

/**
 * An event of a machine's ledger; `at` is in epoch ms. A `sample` only proves that data flows, at `at` or, with `since`, from then on. A `cut`
 * comes from the service itself: it splits the run of a work order in two, so that production before and after it is counted separately.
 */
export type MachineEvent =
  | CountEvent
  | { kind: "sample"; at: number; since?: number }
  | { kind: "state"; at: number; state: ReportedState }
  | { kind: "operator"; at: number; operatorId: number; action: "in" | "out" }
  | { kind: "sku"; at: number; skuId: string; workOrderId: string | null }
  | { kind: "cut"; at: number; workOrderId: string };

/** The order of events at one instant: the SKU and operators that a count is credited to come before it. Stored with each event: never renumber. */
export const kindOrder: Record<MachineEvent["kind"], number> = { sku: 0, operator: 1, cut: 1, state: 2, sample: 3, count: 3 };

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
 * Converts `pulses` (> 0) of a channel to a count. Cycles come from `cycle`, or from `total` where there is no `cycle`; units from `total`, or
 * from `cycle` where there is no `total`, and good units then from `good`. Without either of the two each good, defect or rework
 * pulse is a cycle and adds to the total. Rework is a defect.
 */
export function countEvent(
  at: number,
  channel: { type: ChannelType; countingFactor: number },
  pulses: number,
  { hasCycleChannel, hasTotalChannel, hasGoodChannel }: ChannelSet,
): CountEvent {
  const { type } = channel;
  const units = roundUnits(pulses * channel.countingFactor);
  const hasOwnTotal = hasCycleChannel || hasTotalChannel;
  const isDefect = type === "defect" || type === "rework";
  const isCycle = hasOwnTotal ? type === (hasCycleChannel ? "cycle" : "total") : true;
  const addsToTotal = hasOwnTotal ? type === (hasTotalChannel ? "total" : "cycle") : true;
  return {
    kind: "count",
    at,
    cycles: isCycle ? pulses : 0,
    total: addsToTotal ? units : 0,
    defects: isDefect ? units : 0,
    good: hasOwnTotal && hasGoodChannel ? (type === "good" ? units : 0) : null,
  };
}
