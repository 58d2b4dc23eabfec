import { type CutOutcome, LATE_LIMIT_MS } from "../../objects/machine-protocol.ts";
import { acceptEvents, advanceTo } from "../inputs/input-log.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";

/**
 * Splits a work order's run at an instant, unless that is more than 48 h before the newest event: then what it made is settled. The cut is stored like an event: late events are folded around it, and storing it again
 * changes nothing. A machine without events has no runs and is left alone. Runs inside a transaction.
 */
export function cutRun(
  storage: MachineStorage,
  configuration: Configuration,
  workOrderId: string,
  at: number,
  now: number,
): CutOutcome {
  const newest = storage.events.newestAt();
  if (newest === null) return "none";
  const cut = { id: null, content: `cut ${workOrderId}`, event: { kind: "cut" as const, at, workOrderId } };
  const isSettled = at < newest - LATE_LIMIT_MS && !storage.events.find([cut])(cut);
  const result = isSettled ? null : acceptEvents(storage, configuration, [cut], now)[0];
  const { run } = advanceTo(storage, configuration, now).ledger;
  const open = run?.workOrderId === workOrderId ? run : null;
  if (isSettled) {
    const isAcross = storage.ledger.hasRunAcross(workOrderId, at) || (open !== null && open.start < at);
    return isAcross ? "settled" : "none";
  }
  if (typeof result === "object") return "none";
  const began = [...storage.ledger.runsSince(at), ...(open ? [open] : [])];
  return began.some((one) => one.start === at && one.workOrderId === workOrderId) ? "cut" : "none";
}
