import { companyQuery } from "../app/session.ts";
import { openStatuses } from "../domain/orders.ts";
import { MINUTE_MS } from "../domain/time.ts";
import { type ApiSchema, api } from "./api.ts";
import { firstOf } from "./pages.ts";
import { type Loaded, useRead } from "./query.ts";

/** How many open orders are looked at, those that are due first. */
const LOOKED_AT = 200;

/** The open orders that will be late, the one due first at the top, and whether there may be more. */
export function useLateOrders(): Loaded<{ data: ApiSchema<"WorkOrder">[]; hasMore: boolean }> {
  const query = { ...companyQuery(), statuses: [...openStatuses], sort: "estimatedDeliveryTime" as const };
  return useRead(
    ["/v1/work-orders", "late", query],
    async () => {
      const { data, hasMore } = await firstOf(1, (cursor) =>
        api("get", "/v1/work-orders", { query: { ...query, limit: LOOKED_AT, ...cursor } }),
      );
      return { data: data.filter(({ isLate }) => isLate), hasMore };
    },
    { everyMs: MINUTE_MS },
  );
}
