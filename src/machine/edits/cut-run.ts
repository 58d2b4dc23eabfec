import type { RunCut } from "../../objects/machine-protocol.ts";
import { acceptEvents, advanceTo } from "../inputs/input-log.ts";
import { refusalOfPast } from "../ledger/books-door.ts";
import { hastenRecalculation } from "../ledger/recalculation.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";

/**
 * Splits a work order's run at an instant. The cut is stored like an event: late events are folded around it, and storing it again changes nothing.
 * One of an older time counts when that has been recalculated: until then it is `unpublished`. A machine without events has no runs and is left alone.
 * Runs inside a transaction.
 */
export function cutRun(
  storage: MachineStorage,
  configuration: Configuration,
  workOrderId: string,
  at: number,
  now: number,
): Omit<RunCut, "bookmark"> {
  if (storage.events.newestAt() === null) return { outcome: "none" };
  const closed = refusalOfPast(storage, at);
  if (closed) return { outcome: "settled", closedTo: closed.closedTo };
  return { outcome: outcomeOf(storage, configuration, workOrderId, at, now) };
}

function outcomeOf(
  storage: MachineStorage,
  configuration: Configuration,
  workOrderId: string,
  at: number,
  now: number,
): RunCut["outcome"] {
  const cut = { id: null, content: `cut ${workOrderId}`, event: { kind: "cut" as const, at, workOrderId } };
  const [result] = acceptEvents(storage, configuration, [cut], now);
  const { run } = advanceTo(storage, configuration, now).ledger;
  const open = run?.workOrderId === workOrderId ? run : null;
  const isAcross = storage.ledger.hasRunAcross(workOrderId, at) || (open !== null && open.start < at);
  if (typeof result === "object") return isAcross ? "settled" : "none";
  if (isAcross && at <= now) {
    hastenRecalculation(storage, now);
    return "unpublished";
  }
  const began = [...storage.ledger.runsSince(at), ...(open ? [open] : [])];
  return began.some((one) => one.start === at && one.workOrderId === workOrderId) ? "cut" : "none";
}
