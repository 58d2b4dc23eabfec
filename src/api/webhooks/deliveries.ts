import { companyOf } from "../../core/actor.ts";
import type { Reader } from "../../core/caller.ts";
import { type PageQuery, readPage } from "../../core/cursor.ts";
import { type DeliveryStatus, deliveryStatusNumbers, namesIn } from "../../db/values.ts";
import { eventOf, typeOf } from "../../events/stored.ts";
import { isoOf } from "../../oee/time.ts";
import { type DeliveryPage, selectDeliveries, selectOwn } from "./queries.ts";
import { noSubscription } from "./subscription.ts";

const statuses = namesIn(deliveryStatusNumbers);

/** A page of the deliveries of a webhook subscription. */
export function listDeliveries({ db, actor }: Reader, id: string, query: PageQuery & Omit<DeliveryPage, "subscriptionId">) {
  return readPage(db, query, {
    select: (page) => selectDeliveries(db, { ...page, subscriptionId: id }),
    keysOf: ({ eventSeq }) => [eventSeq],
    itemOf: ({ event, machineId, status, attempts, nextAttemptAt, failed, updatedAt, calledMs, durationMs, answerStatus }) => ({
      ...{
        eventId: eventOf(event).id,
        eventType: typeOf(event.type),
        machineId: machineId === 0 ? null : machineId,
        status: statuses.get(status) as DeliveryStatus,
        attempts,
      },
      nextAttemptAt: isoOf(nextAttemptAt),
      calls: [
        ...failed.map(([at, durationMs, status, answer, error]) => ({ at: isoOf(at), durationMs, status, answer, error })),
        ...(calledMs === null || durationMs === null
          ? []
          : [{ at: isoOf(updatedAt - calledMs), durationMs, status: answerStatus, answer: "", error: null }]),
      ],
      ...{ createdAt: isoOf(event.createdAt), updatedAt: isoOf(updatedAt) },
    }),
    check: {
      statement: selectOwn(db, id, companyOf(actor)),
      verify: (rows) => {
        if ((rows as unknown[]).length === 0) throw noSubscription(id);
      },
    },
  });
}
