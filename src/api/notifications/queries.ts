import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { notifications } from "../../db/schema.ts";
import type { NotificationQuery } from "./query.ts";

/** Marks those of these notifications as read that are the user's and unread. One trip. */
export async function markRead(db: Db, userId: number, ids: readonly string[], now: number): Promise<void> {
  await db
    .update(notifications)
    .set({ readAt: now })
    .where(
      and(
        sql`${notifications.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
        // The plus keeps the planner from the user's index, by which it would read all of the user's notifications.
        sql`+${notifications.userId} = ${userId}`,
        isNull(notifications.readAt),
      ),
    );
}

/** A user's notifications that a query selects, newest first, one more than its limit. One trip. */
export function listNotifications(db: Db, userId: number, { isRead, cursor, limit }: NotificationQuery) {
  return db
    .select()
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, userId),
        isRead === undefined ? undefined : (isRead ? isNotNull : isNull)(notifications.readAt),
        cursor && sql`(${notifications.createdAt}, ${notifications.id}) < (${cursor[0]}, ${cursor[1]})`,
      ),
    )
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(limit + 1);
}
