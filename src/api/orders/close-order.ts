import type { CompanyDb } from "../../db/client.ts";
import { closedStatuses, type WorkOrderStatus } from "../../db/values.ts";
import { raiseVersionsOfOrders, type StoredOrder, updateOrder } from "./queries.ts";

/**
 * The statements that store a status of an order, with other columns. If it is closed or reopened, its machines are notified: from that instant, what they
 * make counts for no order, or for this one again (machine/settings/follow-orders.ts).
 */
export function storeStatus(
  db: CompanyDb,
  order: StoredOrder,
  { status, ...columns }: { status: WorkOrderStatus; updatedAt: number } & Parameters<typeof updateOrder>[2],
) {
  const isClosed = closedStatuses.includes(status);
  if (isClosed === closedStatuses.includes(order.status)) return [updateOrder(db, order.id, { ...columns, status })];
  const closedAt = isClosed ? columns.updatedAt : null;
  return [updateOrder(db, order.id, { ...columns, status, closedAt }), raiseVersionsOfOrders(db, [order])];
}
