import { eq } from "drizzle-orm";
import type { DirectoryDb } from "../db/client.ts";
import { inList } from "../db/conditions.ts";
import { deadLetters } from "../db/schema/directory.ts";

/** The statement that stores dead letters. One that is stored already is left as it is. */
export function insertDeadLetters(directory: DirectoryDb, rows: readonly (typeof deadLetters.$inferInsert)[]) {
  return directory
    .insert(deadLetters)
    .values([...rows])
    .onConflictDoNothing();
}

/** The statement that reads the dead letters to send again. */
export function selectRequeued(directory: DirectoryDb, limit: number) {
  return directory.select().from(deadLetters).where(eq(deadLetters.isRequeued, true)).limit(limit);
}

/** The statement that deletes dead letters. */
export function deleteDeadLetters(directory: DirectoryDb, ids: readonly string[]) {
  return directory.delete(deadLetters).where(inList(deadLetters.id, ids));
}
