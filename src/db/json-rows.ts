import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/**
 * Rows for `insert(table).select(...)`, as one parameter whatever their number: D1 takes 100 per statement. They have the members of the
 * table; those that a row lacks are null.
 */
export function jsonRows(table: SQLiteTable, rows: readonly object[]): SQL {
  const values = Object.keys(getTableColumns(table)).map((member) => `value->>'${member}'`);
  // Without the condition SQLite would take a following ON CONFLICT for that of a join.
  return sql`SELECT ${sql.raw(values.join(", "))} FROM json_each(${JSON.stringify(rows)}) WHERE true`;
}
