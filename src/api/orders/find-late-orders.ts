import type { CompanyDb } from "../../db/client.ts";
import { orderOf, selectOrdersInOrder } from "./queries.ts";
import { workOrderOf } from "./work-order.ts";

/** The statement that reads the late orders of a company, or of some of its machines, as of `now`, earliest due first: one more than `limit`. */
export function selectLateOrders(
  db: CompanyDb,
  { companyId, machineIds, limit }: { companyId: number; machineIds: readonly number[] | undefined; limit: number },
  now: number,
) {
  const page = { limit, total: false, sort: "estimatedDeliveryTime" as const, isLate: true };
  return selectOrdersInOrder(db, { ...page, companyId, ...(machineIds && { machineIds: [...machineIds] }) }, now);
}

/** Turns the rows of `selectLateOrders` into work orders, up to the same `limit`. `hasMore` is true if there are more. */
export function lateOrdersOf(rows: Awaited<ReturnType<typeof selectLateOrders>>, limit: number, now: number) {
  return { orders: rows.slice(0, limit).map((row) => workOrderOf(orderOf(row), now)), hasMore: rows.length > limit };
}
