import { openDb } from "../../db/client.ts";
import type { QueueMessage } from "../../events/queues.ts";
import { askFirst } from "../../objects/ask-first.ts";
import { HOUR_MS } from "../../oee/time.ts";
import { insertLateEvent, noteLate, orderOf, selectUnpublishedLate } from "./queries.ts";
import { workOrderOf } from "./work-order.ts";

/** A run ends after this many commits, so that many old orders of one company do not delay the others. The next run continues. */
const ORDERS_PER_COMMIT = 100;
const COMMITS_PER_RUN = 20;
/** An order whose delivery time was longer ago than this when it was found late is history: no event is stored for it. */
const HISTORY_MS = 48 * HOUR_MS;

/** Stores an event for each late order of any company as of `now` (epoch ms), once per delivery time. Returns the queue messages to send. */
export async function publishLateOrders(env: Env, now: number): Promise<QueueMessage[]> {
  const db = openDb(env, "first-primary");
  const companyIds = new Set<number>();
  const isHistory = (dueAt: number | null) => (dueAt ?? 0) <= now - HISTORY_MS;
  for (let commits = 0; commits < COMMITS_PER_RUN; commits++) {
    let late = (await selectUnpublishedLate(db, ORDERS_PER_COMMIT, now)).map(orderOf);
    const isFull = late.length === ORDERS_PER_COMMIT;
    // D1 may be minutes behind in what was made, so the machines are queried before these orders are read again.
    const recent = late.filter(({ order }) => !isHistory(order.estimatedDeliveryAt));
    if (recent.length > 0) {
      const asked = {
        companyIds: [...new Set(recent.map(({ order }) => order.companyId))],
        machineIds: recent.flatMap(({ machineIds }) => machineIds),
      };
      late = (await selectUnpublishedLate(await askFirst({ env, db }, asked), ORDERS_PER_COMMIT, now)).map(orderOf);
    }
    const statements = late.flatMap((read) => {
      const { id, estimatedDeliveryAt } = read.order;
      const dueAt = estimatedDeliveryAt ?? 0;
      const { expectedAt } = workOrderOf(read, now);
      const expected = expectedAt === null ? null : Date.parse(expectedAt);
      const note = noteLate(db, id, dueAt);
      return isHistory(dueAt) ? [note] : [insertLateEvent(db, { id, dueAt, expectedAt: expected }, now), note];
    });
    const [first, ...others] = statements;
    if (first) await db.batch([first, ...others]);
    for (const { order } of late) companyIds.add(order.companyId);
    if (!isFull) break;
  }
  return [...companyIds].map((companyId) => ({ queue: "EVENTS", body: { companyId } }));
}
