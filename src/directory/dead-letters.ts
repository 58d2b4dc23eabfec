import { sql } from "drizzle-orm";
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

/** The statement that reads the dead letters to send again. Written like the condition of their index, which does not serve a comparison. */
export function selectRequeued(directory: DirectoryDb, limit: number) {
  return directory.select().from(deadLetters).where(sql`${deadLetters.isRequeued}`).limit(limit);
}

/** The statement that deletes dead letters. */
export function deleteDeadLetters(directory: DirectoryDb, ids: readonly string[]) {
  return directory.delete(deadLetters).where(inList(deadLetters.id, ids));
}
