import { queueReports } from "../api/report-subscriptions/schedule.ts";
import { companyDb } from "../db/client.ts";
import type { EventConsumer } from "../events/consumer.ts";
import { markDispatched, selectUndispatched } from "../events/queries.ts";
import { sendQueueMessages } from "../events/queues.ts";
import { eventOf } from "../events/stored.ts";
import { budgetOf } from "../limits/budget.ts";
import { handleConditions } from "./handle-conditions.ts";
import { queueDeliveries } from "./queue-deliveries.ts";

/** The number of events of one commit, and of commits of a run: other companies wait for it. */
const EVENTS_PER_COMMIT = 500;
const COMMITS_PER_RUN = 10;

/** All consumers of events. */
const consumers: readonly EventConsumer[] = [queueReports, queueDeliveries];

/**
 * Dispatches a company's new events, in order: every subscriber (webhooks, reports, ...) turns them into its own rows, and one batch commits these
 * rows and marks the events as dispatched, all or nothing. Two runs at once do no harm.
 */
export async function dispatchEvents(env: Env, companyId: number, now: number): Promise<void> {
  const db = companyDb(env, "first-primary");
  // This comes first, because it writes events.
  await handleConditions(env, companyId, now);
  for (let commits = 0; commits < COMMITS_PER_RUN && !budgetOf(env)?.isUsed; commits++) {
    const events = (await selectUndispatched(db, companyId, EVENTS_PER_COMMIT)).map(eventOf);
    const last = events.at(-1);
    if (!last) return;
    const results = await Promise.all(consumers.map((consume) => consume({ env, db, companyId, now }, events)));
    await db.batch([markDispatched(db, companyId, last.seq), ...results.flatMap(({ rows }) => rows)]);
    await sendQueueMessages(
      env,
      results.flatMap(({ queueMessages }) => queueMessages),
    );
    if (events.length < EVENTS_PER_COMMIT) return;
  }
  await sendQueueMessages(env, [{ queue: "EVENTS", body: { companyId } }]);
}
