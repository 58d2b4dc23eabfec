export const machineStates = ["running", "idle", "down", "setup", "maintenance", "unavailable"] as const;
export type ReportedState = (typeof machineStates)[number];

/** Pulses of one channel that made something. Units are pulses times the factor they were counted with. */
export interface CountEvent {
  kind: "count";
  at: number;
  /** Machine cycles: the pulses of the channel that counts cycles. */
  cycles: number;
  total: number;
  defects: number;
  /** Units known to be good; null where no channel counts them beside the total. */
  good: number | null;
}

/** What a machine's ledger is made of, each at an instant in epoch ms. A `sample` only proves that data flows. */
export type MachineEvent =
  | CountEvent
  | { kind: "sample"; at: number }
  | { kind: "state"; at: number; state: ReportedState }
  | { kind: "operator"; at: number; operatorId: number; action: "in" | "out" }
  | { kind: "sku"; at: number; skuId: string; workOrderId: string | null };

/** Order of events of one instant: what a count is credited to comes before the count. */
export const kindOrder: Record<MachineEvent["kind"], number> = { sku: 0, operator: 1, state: 2, sample: 3, count: 3 };

export type ChannelType = "cycle" | "total" | "good" | "defect" | "rework";

/**
 * What `pulses` (> 0) of a channel count. A machine with a `total` or `cycle` channel has its total from there and its good
 * units from `good`; without one each good, defect or rework pulse is a cycle and adds to the total. Rework is a defect.
 */
export function countEvent(
  at: number,
  channel: { type: ChannelType; countingFactor: number },
  pulses: number,
  machine: { hasTotalChannel: boolean; hasGoodChannel: boolean },
): CountEvent {
  const units = pulses * channel.countingFactor;
  const isTotal = channel.type === "total" || channel.type === "cycle";
  const isDefect = channel.type === "defect" || channel.type === "rework";
  const addsToTotal = isTotal || !machine.hasTotalChannel;
  return {
    kind: "count",
    at,
    cycles: addsToTotal ? pulses : 0,
    total: addsToTotal ? units : 0,
    defects: isDefect ? units : 0,
    good: machine.hasTotalChannel && machine.hasGoodChannel ? (channel.type === "good" ? units : 0) : null,
  };
}
