import type { WorkOrderStatus } from "../../db/values.ts";

/** Neither completed nor cancelled. */
export const openStatuses: readonly WorkOrderStatus[] = ["Backlog", "Planned", "InProgress", "Paused"];

/**
 * What an order's rate is made of: the parts of its machines' shifts that began in this time, in which they made the order. A part is at
 * most an hour long, so they cover the last one to two hours.
 */
export const RATE_WINDOW_MS = 2 * 3_600_000;

/** The end of the year 9999, the last one with four digits. */
const LAST_MS = 253_402_300_799_999;

interface Present {
  status: WorkOrderStatus;
  dueAt: number | null;
  /** Good units. */
  remaining: number;
  /** Good units per ms of all machines that make it now; null: there is none. */
  rate: number | null;
}

/**
 * When an order will be made, and whether it is late: open, and its time has passed or is before it will be made. Times are epoch ms. The
 * filter by `isLate` does the same in SQL.
 */
export function outlookOf({ status, dueAt, remaining, rate }: Present, now: number) {
  const isRunning = status === "InProgress" && rate !== null && rate > 0 && remaining > 0;
  const madeAt = isRunning ? Math.ceil(now + remaining / rate) : null;
  const isPast = dueAt !== null && (dueAt < now || (madeAt !== null && madeAt > dueAt));
  return { expectedAt: madeAt !== null && madeAt <= LAST_MS ? madeAt : null, isLate: openStatuses.includes(status) && isPast };
}
