import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { notifications } from "../../db/schema.ts";

/** Marks those of these notifications as read that are the user's and unread. One trip. */
export async function markRead(db: Db, userId: number, ids: readonly string[], now: number): Promise<void> {
  await db
    .update(notifications)
    .set({ readAt: now })
    .where(
      and(
        sql`${notifications.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
        eq(notifications.userId, userId),
        isNull(notifications.readAt),
      ),
    );
}
