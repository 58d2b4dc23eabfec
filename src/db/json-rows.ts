import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** Members of rows that are not stored as they are: an order's id is looked up. */
const lookedUp: Record<string, string> = {
  workOrderNumber: "(SELECT number FROM work_orders WHERE id = value->>'workOrderNumber')",
};

/**
 * Rows for `insert(table).select(...)` as one parameter, because D1 allows 100 parameters per statement. The rows have the members of the
 * table that are stored; missing members are null.
 * @param isWanted the condition for the rows to insert
 */
export function jsonRows(table: SQLiteTable, rows: readonly object[], isWanted: SQL = sql`true`): SQL {
  const stored = Object.entries(getTableColumns(table)).filter(([, column]) => column.generated === undefined);
  const values = stored.map(([member]) => lookedUp[member] ?? `value->>'${member}'`);
  // Without the condition, SQLite would parse a following ON CONFLICT as the ON of a join.
  return sql`SELECT ${sql.raw(values.join(", "))} FROM json_each(${JSON.stringify(rows)}) WHERE ${isWanted}`;
}
