import {
  endOrderConditions,
  insertOrderConditions,
  type LateOrder,
  selectCompaniesToWatch,
} from "../api/alerting/incidents/queries.ts";
import { publishLateOrders } from "../api/orders/late-orders.ts";
import { selectCompaniesWithLate, selectCompaniesWithUnpublishedLate, selectOrdersInOrder } from "../api/orders/queries.ts";
import { type Db, openDb } from "../db/client.ts";
import { type JobName, type QueueMessage, sendQueueMessages } from "../events/queues.ts";
import { budgetOf } from "../limits/budget.ts";
import { chunksOf } from "../limits/load.ts";
import { askFirst } from "../objects/ask-first.ts";
import { MINUTE_MS } from "../oee/time.ts";

/** The maximum number of late orders per company; those due first are kept. */
const MOST_ORDERS = 500;
/** Prevents repeated alerts for an order whose rate goes up and down. */
const HOLD_MS = 15 * MINUTE_MS;
/** Companies per message: few enough for one invocation. A message for each would cost more. */
const COMPANIES_PER_MESSAGE = 20;

/** Finds the companies that have something to do about late orders at `now` (epoch ms), and sends messages to have it done for a few at a time. */
export async function watchOrders(env: Env, now: number): Promise<void> {
  const db = openDb(env, "first-primary");
  const withRules = await selectCompaniesToWatch(db);
  const companyIds = withRules.map(({ companyId }) => companyId);
  const [unpublished, late] = await db.batch([
    selectCompaniesWithUnpublishedLate(db, now),
    selectCompaniesWithLate(db, companyIds, now),
  ]);
  const areLate = new Set(late.map(({ companyId }) => companyId));
  const toWatch = withRules.filter(({ companyId, hasConditions }) => hasConditions || areLate.has(companyId));
  await sendQueueMessages(env, [...messagesOf("lateOrders", unpublished, now), ...messagesOf("orderRules", toWatch, now)]);
}

function messagesOf(job: JobName, companies: readonly { companyId: number }[], at: number): QueueMessage[] {
  const all = companies.map(({ companyId }) => companyId);
  return chunksOf(all, COMPANIES_PER_MESSAGE).map((companyIds) => ({ queue: "JOBS", body: { job, at, companyIds } }));
}

/** Stores an event for each order of these companies that became late. */
export async function publishLateOrdersOf(env: Env, companyIds: readonly number[], now: number): Promise<void> {
  await forEach(env, { job: "lateOrders", companyIds, now }, (companyId) => publishLateOrders(env, companyId, now));
}

/** Begins the conditions of these companies' rules about late orders, and ends the conditions of orders that are no longer late. */
export async function watchOrdersOf(env: Env, companyIds: readonly number[], now: number): Promise<void> {
  const db = openDb(env, "first-primary");
  await forEach(env, { job: "orderRules", companyIds, now }, async (companyId) => {
    const late = await lateOrders(env, db, companyId, now);
    const [ended, begun] = await db.batch([
      endOrderConditions(db, companyId, late, now - HOLD_MS, now),
      insertOrderConditions(db, companyId, late, now),
    ]);
    return ended.length + begun.length > 0;
  });
}

/**
 * Does the work of a job for each company, and has the events that it stored dispatched. When the invocation has done enough, the others get a
 * message of their own.
 * @param work returns whether it stored events or conditions
 * @throws if it failed for some companies, after doing it for the others
 */
async function forEach(
  env: Env,
  { job, companyIds, now }: { job: JobName; companyIds: readonly number[]; now: number },
  work: (companyId: number) => Promise<boolean>,
): Promise<void> {
  const failures: unknown[] = [];
  const left = [...companyIds];
  const done: QueueMessage[] = [];
  while (left.length > 0 && !budgetOf(env)?.isUsed) {
    const companyId = left.shift() as number;
    try {
      if (await work(companyId)) done.push({ queue: "EVENTS", body: { companyId } });
    } catch (error) {
      failures.push(error);
    }
  }
  const others = left.map((companyId) => ({ companyId }));
  await sendQueueMessages(env, [...done, ...messagesOf(job, others, now)]);
  if (failures.length > 0) throw failures[0];
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
