import { getTableName, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { CompanyDb } from "../db/client.ts";
import { idRange } from "../db/id-range.ts";
import { sequences } from "../db/schema.ts";
import { refusal } from "./problem.ts";

/**
 * The statement that takes an id for a new row, of the range of its database. It belongs in the batch that reads, because the answer and the audit
 * entry name the row before it is stored. No two requests get the same id. A write that is refused leaves a gap. Rows that were inserted without
 * this are taken into account; those of companies that come from another database are in another range.
 * @param count how many ids to take: the last of them is returned
 */
export function takeId(db: CompanyDb, table: SQLiteTable & { id: SQLiteColumn }, count = 1) {
  const { first, last } = idRange(db.number);
  const highest = sql`(SELECT coalesce(max(${table.id}), ${first - 1}) FROM ${table} WHERE ${table.id} BETWEEN ${first} AND ${last})`;
  return db
    .insert(sequences)
    .values({ name: getTableName(table), last: sql`${highest} + ${count}` })
    .onConflictDoUpdate({ target: sequences.name, set: { last: sql`max(${sequences.last}, ${highest}) + ${count}` } })
    .returning({ id: sequences.last });
}

/**
 * The id that `takeId` took, or the last one.
 * @throws Problem 409 if the database has given all ids of its range
 */
export function takenId(db: CompanyDb, [taken]: readonly { id: number }[]): number {
  const { last } = idRange(db.number);
  if (taken && taken.id <= last) return taken.id;
  throw refusal(409, [
    { pointer: "", code: "ids_used_up", message: `the database has given all ids up to ${last} to objects of this kind` },
  ]);
}
