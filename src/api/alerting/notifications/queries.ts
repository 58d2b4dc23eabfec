import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { inList } from "../../../db/conditions.ts";
import { notifications } from "../../../db/schema.ts";
import type { NotificationQuery } from "./query.ts";

/** Marks a user's unread notifications among these as read. One trip. */
export async function markRead(db: CompanyDb, userId: number, ids: readonly string[], now: number): Promise<void> {
  await db
    .update(notifications)
    .set({ readAt: now })
    .where(
      and(
        inList(notifications.id, ids),
        // The plus rules out the index by user, which would read all of the user's notifications.
        sql`+${notifications.userId} = ${userId}`,
        isNull(notifications.readAt),
      ),
    );
}

/** A user's notifications that match a query, newest first. Reads one more than the limit. */
export function selectNotifications(db: CompanyDb, userId: number, { isRead, cursor, limit }: NotificationQuery) {
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
