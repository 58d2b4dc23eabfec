import { asc, sql } from "drizzle-orm";
import type { DirectoryDb } from "../db/client.ts";
import { inList } from "../db/conditions.ts";
import { auditOutbox } from "../db/schema/directory.ts";

// A change in the directory and its audit entry are in two databases. The entry is stored with the change, in the directory's outbox, and then
// moved (`moveAuditEntries` in core/write.ts). Whatever ends in between is done again: an entry has an id, and is stored once.

type Entry = typeof auditOutbox.$inferSelect.entry;

/** The number of entries that are moved at once. */
const MOST_MOVED = 100;

/** The statements that store audit entries with a change in the directory. */
export function insertEntries(directory: DirectoryDb, entries: readonly Entry[]) {
  return entries.map((entry) => directory.insert(auditOutbox).values({ id: entry.id, entry }));
}

/** The entries that wait, the oldest first. */
export async function findEntries(directory: DirectoryDb) {
  return await directory.select().from(auditOutbox).orderBy(asc(sql`rowid`)).limit(MOST_MOVED);
}

/** Deletes entries that were moved. */
export async function forgetEntries(directory: DirectoryDb, ids: readonly string[]): Promise<void> {
  await directory.delete(auditOutbox).where(inList(auditOutbox.id, ids));
}
