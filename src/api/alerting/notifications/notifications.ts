import type { Reader } from "../../../core/caller.ts";
import { readPage } from "../../../core/cursor.ts";
import { isoOf } from "../../../oee/time.ts";
import { markRead, selectNotifications } from "./queries.ts";
import type { NotificationQuery } from "./query.ts";

/** A page of the caller's own notifications. */
export function listNotifications({ db, actor }: Reader, query: NotificationQuery) {
  return readPage(db, query, {
    select: (page) => selectNotifications(db, actor.userId, page),
    keysOf: ({ createdAt, id }) => [createdAt, id],
    itemOf: ({ id, title, body, readAt, createdAt }) => {
      return { id, title, body, readAt: isoOf(readAt), createdAt: isoOf(createdAt) };
    },
  });
}

/** Marks the caller's own notifications as read. */
export function markNotificationsRead({ db, actor }: Reader, ids: readonly string[]): Promise<void> {
  // A single statement instead of `write`: there is nothing to decide and nothing to audit.
  return markRead(db, actor.userId, ids, Date.now());
}
