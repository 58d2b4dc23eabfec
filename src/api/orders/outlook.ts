import type { WorkOrderStatus } from "../../db/values.ts";

/** The statuses of orders that are neither completed nor cancelled. */
export const openStatuses: readonly WorkOrderStatus[] = ["Backlog", "Planned", "InProgress", "Paused"];

/**
 * The window for an order's rate: the parts of its machines' shifts that began in this time and made the order. A part is at most an hour
 * long, so they cover the last one to two hours.
 */
export const RATE_WINDOW_MS = 2 * 3_600_000;

/** The end of the year 9999, the last one with four digits. */
const LAST_MS = 253_402_300_799_999;

interface Present {
  status: WorkOrderStatus;
  dueAt: number | null;
  /** Good units. */
  remaining: number;
  /** Good units per ms of all machines that make it now; null: none. */
  rate: number | null;
}

/**
 * The expected completion of an order, and whether it is late: it is open, and its delivery time is past or before the expected completion.
 * Times are epoch ms. The filter by `isLate` does the same in SQL.
 */
export function outlookOf({ status, dueAt, remaining, rate }: Present, now: number) {
  const isRunning = status === "InProgress" && rate !== null && rate > 0 && remaining > 0;
  const madeAt = isRunning ? Math.ceil(now + remaining / rate) : null;
  const isPast = dueAt !== null && (dueAt < now || (madeAt !== null && madeAt > dueAt));
  return { expectedAt: madeAt !== null && madeAt <= LAST_MS ? madeAt : null, isLate: openStatuses.includes(status) && isPast };
}
