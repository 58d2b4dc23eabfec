import type { SentEvent } from "../../../src/api/ingest/event.ts";
import type { Lane, QueuedEvent } from "../queue/queue.ts";
import type { MachineState } from "../readings/states.ts";

/** An event of the queue as Andon takes it. Its times must be fixed: the same event always has the same. */
export function sentEvent(queueId: string, lane: Lane, event: QueuedEvent): SentEvent {
  const at = event.at + (event.offsetMs ?? 0);
  const since = event.since === null ? null : event.since + (event.offsetMs ?? 0);
  const id = `${queueId}:${lane.source}:${event.seq}`;
  const common = { id, at: new Date(at).toISOString(), machineRef: lane.machine };
  if (lane.kind === "heartbeat") return { ...common, type: "heartbeat" };
  if (lane.kind === "state") return { ...common, type: "state", state: event.content as MachineState };
  if (lane.kind === "sku") {
    const [skuId, workOrderId] = JSON.parse(String(event.content)) as [string, string | null];
    return { ...common, type: "sku", skuId, ...(workOrderId !== null && { workOrderId }) };
  }
  const covered = since !== null && since < at ? { since: new Date(since).toISOString() } : {};
  return { ...common, ...covered, type: "count", sensor: lane.kind, value: Number(event.content) };
}
