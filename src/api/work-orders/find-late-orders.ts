import type { Db } from "../../db/client.ts";
import { listOrders, orderOf } from "./queries.ts";
import { workOrderOf } from "./work-order.ts";

/** The statement that reads the orders of a company, or of machines of it, that are late as of `now`, the first due first, one more than a limit. */
export function selectLateOrders(
  db: Db,
  { companyId, machineIds, limit }: { companyId: number; machineIds: readonly number[] | undefined; limit: number },
  now: number,
) {
  const page = { limit, total: false, sort: "estimatedDeliveryTime" as const, isLate: true };
  return listOrders(db, { ...page, companyId, ...(machineIds && { machineIds: [...machineIds] }) }, now);
}

/** The late orders of what that statement gave, and whether there are more. */
export function lateOrdersOf(rows: Awaited<ReturnType<typeof selectLateOrders>>, limit: number, now: number) {
  return { orders: rows.slice(0, limit).map((row) => workOrderOf(orderOf(row), now)), hasMore: rows.length > limit };
}
