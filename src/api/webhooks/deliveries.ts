import { companyOf } from "../../core/actor.ts";
import type { Reader } from "../../core/caller.ts";
import { type PageQuery, readPage } from "../../core/cursor.ts";
import { isoOf } from "../../oee/time.ts";
import { type DeliveryPage, selectDeliveries, selectOwn } from "./queries.ts";
import { noSubscription } from "./subscription.ts";

/** A page of the deliveries of a webhook subscription. */
export function listDeliveries({ db, actor }: Reader, id: string, query: PageQuery & Omit<DeliveryPage, "subscriptionId">) {
  return readPage(db, query, {
    select: (page) => selectDeliveries(db, { ...page, subscriptionId: id }),
    keysOf: ({ eventSeq }) => [eventSeq],
    itemOf: ({ eventId, eventType, machineId, status, attempts, nextAttemptAt, calls, createdAt, updatedAt }) => ({
      ...{ eventId, eventType, machineId: machineId === 0 ? null : machineId, status, attempts },
      nextAttemptAt: isoOf(nextAttemptAt),
      calls: calls.map(([at, durationMs, status, answer, error]) => ({ at: isoOf(at), durationMs, status, answer, error })),
      ...{ createdAt: isoOf(createdAt), updatedAt: isoOf(updatedAt) },
    }),
    check: {
      statement: selectOwn(db, id, companyOf(actor)),
      verify: (rows) => {
        if ((rows as unknown[]).length === 0) throw noSubscription(id);
      },
    },
  });
}
