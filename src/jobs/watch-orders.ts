import { endOrderConditions, insertOrderConditions, type LateOrder, selectCompaniesToWatch } from "../api/incidents/queries.ts";
import { listOrders } from "../api/work-orders/queries.ts";
import { askFirst } from "../core/ask-first.ts";
import { type Db, openDb } from "../db/client.ts";
import { wake } from "../events/queues.ts";
import { MINUTE_MS } from "../oee/time.ts";

/** Late orders per company, earliest due first. */
const MOST_ORDERS = 500;
/** An order whose rate goes up and down is not alerted of again and again. */
const HOLD_MS = 15 * MINUTE_MS;

/** Finds out which orders rules about late orders concern at `now` (epoch ms), and which of them are not late any more. */
export async function watchOrders(env: Env, now: number): Promise<void> {
  const db = openDb(env, "first-primary");
  const companies = await selectCompaniesToWatch(db);
  for (const { companyId } of companies) {
    const late = await lateOrders(env, db, companyId, now);
    const [ended, begun] = await db.batch([
      endOrderConditions(db, companyId, late, now - HOLD_MS, now),
      insertOrderConditions(db, companyId, late, now),
    ]);
    if (ended.length + begun.length > 0) await wake(env, [{ queue: "EVENTS", body: { companyId } }]);
  }
}

async function lateOrders(env: Env, db: Db, companyId: number, now: number): Promise<LateOrder[]> {
  const query = { companyId, isLate: true, sort: "estimatedDeliveryTime" as const, limit: MOST_ORDERS, total: false };
  let rows = await listOrders(db, query, now);
  // Those that are not due yet are late by what they were known to have made, which may be minutes ago: their machines know better.
  const machineIds = rows.flatMap((row) => ((row.estimatedDeliveryAt ?? 0) > now ? row.machineIds : []));
  if (machineIds.length > 0)
    rows = await listOrders(await askFirst({ env, db }, { companyIds: [companyId], machineIds }), query, now);
  return rows.map(({ id, code, machineIds, estimatedDeliveryAt }) => {
    const minutes = Math.floor((now - (estimatedDeliveryAt ?? now)) / MINUTE_MS);
    const [only = null] = machineIds.length === 1 ? machineIds : [];
    return { id, machineId: only, machineIds, facts: { workOrderId: id, code, minutes: minutes > 0 ? minutes : null } };
  });
}
