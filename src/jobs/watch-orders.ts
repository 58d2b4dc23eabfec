import {
  endOrderConditions,
  insertOrderConditions,
  type LateOrder,
  selectCompaniesToWatch,
} from "../api/alerting/incidents/queries.ts";
import { publishLateOrders } from "../api/orders/late-orders.ts";
import { selectOrdersInOrder } from "../api/orders/queries.ts";
import { type Db, openDb } from "../db/client.ts";
import { type QueueMessage, sendQueueMessages } from "../events/queues.ts";
import { eachOf } from "../limits/load.ts";
import { askFirst } from "../objects/ask-first.ts";
import { MINUTE_MS } from "../oee/time.ts";

/** The maximum number of late orders per company; those due first are kept. */
const MOST_ORDERS = 500;
/** Prevents repeated alerts for an order whose rate goes up and down. */
const HOLD_MS = 15 * MINUTE_MS;

/** Companies that are checked in parallel. */
const COMPANIES_AT_ONCE = 4;

/**
 * Checks for late orders at `now` (epoch ms): stores an event for each order that became late, begins the conditions of the rules about them, and
 * ends the conditions of orders that are no longer late.
 * @throws if some companies could not be checked, after checking the others
 */
export async function watchOrders(env: Env, now: number): Promise<void> {
  const db = openDb(env, "first-primary");
  const failures: unknown[] = [];
  const attempt = async (work: () => Promise<readonly QueueMessage[]>) => {
    try {
      await sendQueueMessages(env, await work());
    } catch (error) {
      failures.push(error);
    }
  };
  await attempt(() => publishLateOrders(env, now));
  const companies = await selectCompaniesToWatch(db);
  await eachOf(companies, COMPANIES_AT_ONCE, ({ companyId }) => attempt(() => watchOrdersOf(env, db, companyId, now)));
  if (failures.length > 0) throw failures[0];
}

async function watchOrdersOf(env: Env, db: Db, companyId: number, now: number): Promise<QueueMessage[]> {
  const late = await lateOrders(env, db, companyId, now);
  const [ended, begun] = await db.batch([
    endOrderConditions(db, companyId, late, now - HOLD_MS, now),
    insertOrderConditions(db, companyId, late, now),
  ]);
  return ended.length + begun.length > 0 ? [{ queue: "EVENTS", body: { companyId } }] : [];
}

async function lateOrders(env: Env, db: Db, companyId: number, now: number): Promise<LateOrder[]> {
  const query = { companyId, isLate: true, sort: "estimatedDeliveryTime" as const, limit: MOST_ORDERS, total: false };
  let rows = await selectOrdersInOrder(db, query, now);
  // Orders that are not due yet are late by the units known so far, which may be minutes old: their machines have newer counts.
  const machineIds = rows.flatMap((row) => ((row.estimatedDeliveryAt ?? 0) > now ? row.machineIds : []));
  if (machineIds.length > 0)
    rows = await selectOrdersInOrder(await askFirst({ env, db }, { companyIds: [companyId], machineIds }), query, now);
  return rows.map(({ id, code, machineIds, estimatedDeliveryAt }) => {
    const minutes = Math.floor((now - (estimatedDeliveryAt ?? now)) / MINUTE_MS);
    const [only = null] = machineIds.length === 1 ? machineIds : [];
    return { id, machineId: only, machineIds, facts: { workOrderId: id, code, minutes: minutes > 0 ? minutes : null } };
  });
}
