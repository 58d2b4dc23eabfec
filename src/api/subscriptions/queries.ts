import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { ifGiven } from "../../db/conditions.ts";
import { reportSubscriptions, subscriptionLogs } from "../../db/schema.ts";
import type { SubscriptionQuery } from "./query.ts";

interface LogPage {
  limit: number;
  /** Only logs that were due before this time (epoch ms). */
  before?: number | undefined;
}

/** The logs of a subscription, newest first; null if the company (undefined: any) has no such subscription. One trip. */
export async function findLogs(db: Db, subscriptionId: string, companyId: number | undefined, { limit, before }: LogPage) {
  const [[subscription], logs] = await db.batch([
    db
      .select({ id: reportSubscriptions.id })
      .from(reportSubscriptions)
      .where(
        and(
          eq(reportSubscriptions.id, subscriptionId),
          isNull(reportSubscriptions.deletedAt),
          ifGiven(reportSubscriptions.companyId, companyId),
        ),
      ),
    db
      .select()
      .from(subscriptionLogs)
      .where(
        and(
          eq(subscriptionLogs.subscriptionId, subscriptionId),
          isNull(subscriptionLogs.deletedAt),
          before === undefined ? undefined : lt(subscriptionLogs.executeAt, before),
        ),
      )
      .orderBy(desc(subscriptionLogs.executeAt), desc(subscriptionLogs.id))
      .limit(limit),
  ]);
  return subscription ? logs : null;
}

/** The subscriptions that match a query, newest first. Reads one more than the limit. */
export function listSubscriptions(db: Db, { companyId, includeDeleted, cursor, limit }: SubscriptionQuery) {
  const { createdAt, id } = reportSubscriptions;
  return db
    .select()
    .from(reportSubscriptions)
    .where(
      and(
        ifGiven(reportSubscriptions.companyId, companyId),
        cursor && sql`(${createdAt}, ${id}) < (${cursor[0]}, ${cursor[1]})`,
        includeDeleted ? undefined : isNull(reportSubscriptions.deletedAt),
      ),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(limit + 1);
}
