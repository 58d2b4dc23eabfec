import { insertDeliveries, selectCalled } from "../api/webhooks/queries.ts";
import type { EventConsumer } from "../events/consumer.ts";

/** Queues the events for those of the company's webhook subscriptions that match them. */
export const queueDeliveries: EventConsumer = async ({ db, companyId, now }, events) => {
  const called = await selectCalled(db, companyId);
  if (called.length === 0) return { rows: [], queueMessages: [] };
  const seqs = events.map(({ seq }) => seq);
  return {
    rows: [insertDeliveries(db, companyId, seqs, now)],
    queueMessages: called.map(({ id }) => ({ queue: "WEBHOOKS", body: { subscriptionId: id } })),
  };
};
