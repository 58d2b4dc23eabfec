import { companyOf } from "../../core/actor.ts";
import type { Caller, Reader } from "../../core/caller.ts";
import { readPage } from "../../core/cursor.ts";
import { notFound } from "../../core/problem.ts";
import { logOf } from "./log.ts";
import { findLogs, type LogPage, selectSubscriptions } from "./queries.ts";
import type { SubscriptionQuery } from "./query.ts";
import { reportSubscriptions } from "./resource.ts";

/** A page of report subscriptions. */
export function listSubscriptions(caller: Caller, query: SubscriptionQuery) {
  const { db, actor } = caller;
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectSubscriptions(db, { ...page, companyId }),
    keysOf: ({ createdAt, id }) => [createdAt, id],
    itemOf: (row) => reportSubscriptions.shape.item(row, caller),
  });
}

/** The logs of a subscription, newest first. Throws 404 if the caller's company has no such subscription. */
export async function listLogs({ db, actor }: Reader, subscriptionId: string, page: LogPage) {
  const logs = await findLogs(db, subscriptionId, companyOf(actor), page);
  if (!logs) throw notFound(`There is no subscription ${subscriptionId}.`);
  return logs.map(logOf);
}
