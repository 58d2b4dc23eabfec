import { askFirst } from "../../core/ask-first.ts";
import { openDb } from "../../db/client.ts";
import { wake } from "../../events/queues.ts";
import { HOUR_MS } from "../../oee/time.ts";
import { insertLateEvent, noteLate, orderOf, selectUntoldLate } from "./queries.ts";
import { workOrderOf } from "./work-order.ts";

/** Orders per run; the next run continues. */
const ORDERS_PER_RUN = 100;
/** What was due earlier than this before it was found is history: nobody is told. */
const HISTORY_MS = 48 * HOUR_MS;

/** Tells of the orders of all companies that are late at `now` (epoch ms), once for each time that they are due. */
export async function tellLateOrders(env: Env, now: number): Promise<void> {
  const db = openDb(env, "first-primary");
  let late = (await selectUntoldLate(db, ORDERS_PER_RUN, now)).map(orderOf);
  if (late.length === 0) return;
  // What they made is known as of minutes ago, perhaps; their machines know better.
  const asked = {
    companyIds: [...new Set(late.map(({ order }) => order.companyId))],
    machineIds: late.flatMap(({ machineIds }) => machineIds),
  };
  late = (await selectUntoldLate(await askFirst({ env, db }, asked), ORDERS_PER_RUN, now)).map(orderOf);
  const statements = late.flatMap((read) => {
    const { id, estimatedDeliveryAt } = read.order;
    const dueAt = estimatedDeliveryAt ?? 0;
    const { expectedAt } = workOrderOf(read, now);
    const told = expectedAt === null ? null : Date.parse(expectedAt);
    const note = noteLate(db, id, dueAt);
    return dueAt > now - HISTORY_MS ? [insertLateEvent(db, { id, dueAt, expectedAt: told }, now), note] : [note];
  });
  const [first, ...others] = statements;
  if (!first) return;
  await db.batch([first, ...others]);
  const companyIds = [...new Set(late.map(({ order }) => order.companyId))];
  await wake(
    env,
    companyIds.map((companyId) => ({ queue: "EVENTS" as const, body: { companyId } })),
  );
}
