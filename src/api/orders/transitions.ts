import type { UserActor } from "../../core/actor.ts";
import { type WorkOrderStatus, workOrderStatuses } from "../../db/values.ts";

/** A requested change: progress, a status, or both; and the role of the caller. */
export interface OrderChange {
  hasProgress: boolean;
  /** Undefined: the status follows from the progress. */
  status: WorkOrderStatus | undefined;
  role: UserActor["role"];
}

const next: Record<WorkOrderStatus, readonly WorkOrderStatus[]> = {
  Backlog: ["Planned", "Cancelled"],
  Planned: ["Backlog", "InProgress", "Cancelled"],
  InProgress: ["Paused", "Completed", "Cancelled"],
  Paused: ["InProgress", "Completed", "Cancelled"],
  Completed: [],
  Cancelled: [],
};

const reopeners: readonly UserActor["role"][] = ["superuser", "superadmin", "admin"];

/** Statuses of orders whose targets may change. */
export const openStatuses = workOrderStatuses.filter((status) => next[status].length > 0);

/** The status of an order after a change; undefined: the change is refused (see `refusalOf`). */
export function statusAfter(from: WorkOrderStatus, change: OrderChange): WorkOrderStatus | undefined {
  const started = startedFrom(from, change);
  if (!started) return undefined;
  const to = change.status ?? started;
  return mayBecome(started, to, change.role) ? to : undefined;
}

/** The reason why an order in a status refuses a change. */
export function refusalOf(from: WorkOrderStatus, change: OrderChange): string {
  const started = startedFrom(from, change);
  if (!started) return `The work order is ${from} and takes no progress.`;
  return `A work order cannot go from ${started} to ${change.status}.`;
}

/** Progress is applied before the status that is reported with it: it starts a waiting order, and a closed order accepts none. */
function startedFrom(from: WorkOrderStatus, { hasProgress }: OrderChange): WorkOrderStatus | undefined {
  if (!hasProgress) return from;
  if (from === "Completed" || from === "Cancelled") return undefined;
  return from === "Paused" ? "Paused" : "InProgress";
}

function mayBecome(from: WorkOrderStatus, to: WorkOrderStatus, role: UserActor["role"]): boolean {
  const isReopened = from === "Completed" && to === "InProgress";
  return from === to || next[from].includes(to) || (isReopened && reopeners.includes(role));
}
