import type { Db } from "../../db/client.ts";
import { listOrders, orderOf } from "./queries.ts";
import { workOrderOf } from "./work-order.ts";

/** The orders of a company, or of machines of it, that are late as of `now`, the first due first; up to `limit`, and whether there are more. */
export async function findLateOrders(
  db: Db,
  { companyId, machineIds, limit }: { companyId: number; machineIds: readonly number[] | undefined; limit: number },
  now: number,
) {
  const page = { limit, total: false, sort: "estimatedDeliveryTime" as const, isLate: true };
  const rows = await listOrders(db, { ...page, companyId, ...(machineIds && { machineIds: [...machineIds] }) }, now);
  return { orders: rows.slice(0, limit).map((row) => workOrderOf(orderOf(row), now)), hasMore: rows.length > limit };
}
