import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/**
 * Rows for `insert(table).select(...)` as one parameter, because D1 allows 100 parameters per statement. The rows have the members of the
 * table that are stored; missing members are null.
 */
export function jsonRows(table: SQLiteTable, rows: readonly object[]): SQL {
  const stored = Object.entries(getTableColumns(table)).filter(([, column]) => column.generated === undefined);
  const values = stored.map(([member]) => `value->>'${member}'`);
  // Without the condition, SQLite would parse a following ON CONFLICT as the ON of a join.
  return sql`SELECT ${sql.raw(values.join(", "))} FROM json_each(${JSON.stringify(rows)}) WHERE true`;
}
