import { companyDb } from "../../db/client.ts";
import { askFirst } from "../../objects/ask-first.ts";
import { HOUR_MS } from "../../oee/time.ts";
import { insertLateEvents, noteLate, orderOf, selectUnpublishedLate } from "./queries.ts";
import { workOrderOf } from "./work-order.ts";

/** A run ends after this many commits, so that many old orders of one company do not delay the others. The next run continues. */
const ORDERS_PER_COMMIT = 100;
const COMMITS_PER_RUN = 20;
/** An order whose delivery time was longer ago than this when it was found late is history: no event is stored for it. */
const HISTORY_MS = 48 * HOUR_MS;

/** Stores an event for each late order of a company as of `now` (epoch ms), once per delivery time. Returns whether there were any. */
export async function publishLateOrders(env: Env, companyId: number, now: number): Promise<boolean> {
  const db = companyDb(env, "first-primary");
  const isHistory = (dueAt: number | null) => (dueAt ?? 0) <= now - HISTORY_MS;
  let hasLate = false;
  for (let commits = 0; commits < COMMITS_PER_RUN; commits++) {
    let read = (await selectUnpublishedLate(db, companyId, ORDERS_PER_COMMIT, now)).map(orderOf);
    const isFull = read.length === ORDERS_PER_COMMIT;
    // D1 may be minutes behind in what was made, so the machines are queried before these orders are read again.
    const recent = read.filter(({ order }) => !isHistory(order.estimatedDeliveryAt));
    if (recent.length > 0) {
      const asked = { companyIds: [companyId], machineIds: recent.flatMap(({ machineIds }) => machineIds) };
      read = (await selectUnpublishedLate(await askFirst({ env, db }, asked), companyId, ORDERS_PER_COMMIT, now)).map(orderOf);
    }
    const late = read.map((one) => {
      const { expectedAt } = workOrderOf(one, now);
      const { id, estimatedDeliveryAt } = one.order;
      return { id, dueAt: estimatedDeliveryAt ?? 0, expectedAt: expectedAt === null ? null : Date.parse(expectedAt) };
    });
    const isNew = late.filter(({ dueAt }) => !isHistory(dueAt));
    if (late.length > 0) await db.batch([insertLateEvents(db, isNew, now), noteLate(db, late)]);
    hasLate ||= late.length > 0;
    if (!isFull) break;
  }
  return hasLate;
}
