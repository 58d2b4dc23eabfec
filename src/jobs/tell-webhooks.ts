import { insertDeliveries, selectCalled } from "../api/webhooks/queries.ts";
import type { Teller } from "../events/event.ts";

/** Has the company's webhook subscriptions told of what they want of the events. */
export const tellWebhooks: Teller = async ({ db, companyId, now }, events) => {
  const called = await selectCalled(db, companyId);
  if (called.length === 0) return { rows: [], wakes: [] };
  const seqs = events.map(({ seq }) => seq);
  return {
    rows: [insertDeliveries(db, seqs, now)],
    wakes: called.map(({ id }) => ({ queue: "WEBHOOKS", body: { subscriptionId: id } })),
  };
};
