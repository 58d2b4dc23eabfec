import type { UserActor } from "../../http/actor.ts";
import { type Outcomes, type WorkOrderStatus, workOrderStatuses } from "./queries.ts";

/** What is asked of an order: progress, a status, or both; and who asks. */
export interface OrderChange {
  hasProgress: boolean;
  /** Undefined leaves the status to what the progress makes of it. */
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

/** The outcome of a change for an order in any status. */
export function outcomesOf(change: OrderChange): Outcomes {
  const outcomes: Outcomes = {};
  for (const from of workOrderStatuses) {
    const started = startedFrom(from, change);
    if (started && mayBecome(started, change.status ?? started, change.role)) outcomes[from] = change.status ?? started;
  }
  return outcomes;
}

/** Why an order in a status refuses a change that has no outcome there. */
export function refusalOf(from: WorkOrderStatus, change: OrderChange): string {
  const started = startedFrom(from, change);
  if (!started) return `The work order is ${from} and takes no progress.`;
  return `A work order cannot go from ${started} to ${change.status}.`;
}

/** Progress comes before the status that is reported with it: it starts an order that waits, and a closed one takes none. */
function startedFrom(from: WorkOrderStatus, { hasProgress }: OrderChange): WorkOrderStatus | undefined {
  if (!hasProgress) return from;
  if (from === "Completed" || from === "Cancelled") return undefined;
  return from === "Paused" ? "Paused" : "InProgress";
}

function mayBecome(from: WorkOrderStatus, to: WorkOrderStatus, role: UserActor["role"]): boolean {
  const isReopened = from === "Completed" && to === "InProgress";
  return from === to || next[from].includes(to) || (isReopened && reopeners.includes(role));
}
