import { getTableName, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "../db/client.ts";
import { sequences } from "../db/schema.ts";

/**
 * The statement that takes an id for a new row. It belongs in the batch that reads, because the answer and the audit entry name the row
 * before it is stored. No two requests get the same id. A write that is refused leaves a gap. Rows that were inserted without this are
 * taken into account.
 */
export function takeId(db: Db, table: SQLiteTable & { id: SQLiteColumn }) {
  const highest = sql`(SELECT coalesce(max(${table.id}), 0) FROM ${table})`;
  return db
    .insert(sequences)
    .values({ name: getTableName(table), last: sql`${highest} + 1` })
    .onConflictDoUpdate({ target: sequences.name, set: { last: sql`max(${sequences.last}, ${highest}) + 1` } })
    .returning({ id: sequences.last });
}
