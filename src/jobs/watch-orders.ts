import {
  endOrderConditions,
  insertOrderConditions,
  type LateOrder,
  selectCompaniesToWatch,
} from "../api/alerting/incidents/queries.ts";
import { publishLateOrders } from "../api/orders/late-orders.ts";
import { selectCompaniesWithLate, selectCompaniesWithUnpublishedLate, selectOrdersInOrder } from "../api/orders/queries.ts";
import type { WorkOrderQuery } from "../api/orders/query.ts";
import { type CompanyDb, companyDb } from "../db/client.ts";
import { sendQueueMessages } from "../events/queues.ts";
import { chunksOf } from "../limits/load.ts";
import { askFirst } from "../objects/ask-first.ts";
import { append } from "../oee/extremes.ts";
import { MINUTE_MS } from "../oee/time.ts";
import { doForEach, jobMessages } from "./each-company.ts";

/** Late orders are read in pages. A company that has more than this many pages of them has no alerts for those due last, which is logged. */
const ORDERS_PER_PAGE = 500;
const MOST_PAGES = 40;
/** Prevents repeated alerts for an order whose rate goes up and down. */
const HOLD_MS = 15 * MINUTE_MS;

/** Finds the companies that have something to do about late orders at `now` (epoch ms), and sends messages to have it done for a few at a time. */
export async function watchOrders(env: Env, now: number): Promise<void> {
  const db = companyDb(env, "first-primary");
  const withRules = await selectCompaniesToWatch(db);
  const companyIds = withRules.map(({ companyId }) => companyId);
  const [unpublished, late] = await db.batch([
    selectCompaniesWithUnpublishedLate(db, now),
    selectCompaniesWithLate(db, companyIds, now),
  ]);
  const areLate = new Set(late.map(({ companyId }) => companyId));
  const toWatch = withRules.filter(({ companyId, hasConditions }) => hasConditions || areLate.has(companyId));
  await sendQueueMessages(env, [
    ...jobMessages({ job: "lateOrders", at: now }, unpublished),
    ...jobMessages({ job: "orderRules", at: now }, toWatch),
  ]);
}

/** Stores an event for each order of these companies that became late. */
export async function publishLateOrdersOf(env: Env, companyIds: readonly number[], now: number): Promise<void> {
  await doForEach(env, { job: "lateOrders", at: now }, companyIds, (companyId) => publishLateOrders(env, companyId, now));
}

/** Begins the conditions of these companies' rules about late orders, and ends the conditions of orders that are no longer late. */
export async function watchOrdersOf(env: Env, companyIds: readonly number[], now: number): Promise<void> {
  const db = companyDb(env, "first-primary");
  await doForEach(env, { job: "orderRules", at: now }, companyIds, async (companyId) => {
    const late = await lateOrders(env, db, companyId, now);
    const changed = await db.batch([
      endOrderConditions(db, companyId, late, now - HOLD_MS, now),
      ...chunksOf(late, ORDERS_PER_PAGE).map((some) => insertOrderConditions(db, companyId, some, now)),
    ]);
    return changed.flat().length > 0;
  });
}

/** All late orders of a company. */
async function lateOrders(env: Env, db: CompanyDb, companyId: number, now: number): Promise<LateOrder[]> {
  const late: LateOrder[] = [];
  let after: { sortKey: number | string; id: string } | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const rows = await readLate(env, db, companyId, after, now);
    after = rows[ORDERS_PER_PAGE - 1];
    append(
      late,
      rows.slice(0, ORDERS_PER_PAGE).map((row) => lateOrderOf(row, now)),
    );
    if (rows.length <= ORDERS_PER_PAGE) return late;
  }
  console.error(JSON.stringify({ event: "late_orders_left_out", companyId, watched: late.length }));
  return late;
}

type OrderRow = Awaited<ReturnType<typeof selectOrdersInOrder>>[number];

/** A page of the late orders, and one more if there are more. */
async function readLate(
  env: Env,
  db: CompanyDb,
  companyId: number,
  after: { sortKey: number | string; id: string } | undefined,
  now: number,
): Promise<OrderRow[]> {
  const sort = "estimatedDeliveryTime" as const;
  const cursor: WorkOrderQuery["cursor"] = after && [sort, after.sortKey, after.id];
  const query = { companyId, isLate: true, sort, cursor, limit: ORDERS_PER_PAGE, total: false };
  const rows = await selectOrdersInOrder(db, query, now);
  // Orders that are not due yet are late by the units known so far, which may be minutes old: their machines have newer counts.
  const machineIds = rows.flatMap((row) => ((row.estimatedDeliveryAt ?? 0) > now ? row.machineIds : []));
  if (machineIds.length === 0) return rows;
  return await selectOrdersInOrder(await askFirst({ env, db }, { companyIds: [companyId], machineIds }), query, now);
}

function lateOrderOf({ id, code, machineIds, estimatedDeliveryAt }: OrderRow, now: number): LateOrder {
  const minutes = Math.floor((now - (estimatedDeliveryAt ?? now)) / MINUTE_MS);
  const [only = null] = machineIds.length === 1 ? machineIds : [];
  return { id, machineId: only, machineIds, facts: { workOrderId: id, code, minutes: minutes > 0 ? minutes : null } };
}
