import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** Members of rows that are not stored as they are: an order's id is looked up. */
const lookedUp: Record<string, string> = {
  workOrderNumber: "(SELECT number FROM work_orders WHERE id = value->>'workOrderNumber')",
};

/** The value of a member of a row, as it is stored: an expression on `value`. */
export function storedValue(member: string): string {
  return lookedUp[member] ?? `value->>'${member}'`;
}

/**
 * Rows for `insert(table).select(...)` as one parameter, because D1 allows 100 parameters per statement. The rows have the members of the
 * table that are stored; missing members are null.
 * @param isWanted the condition for the rows to insert
 * @param computed what is stored for members that the database computes: expressions on `value`, the row
 */
export function jsonRows(
  table: SQLiteTable,
  rows: readonly object[],
  isWanted: SQL = sql`true`,
  computed: Readonly<Record<string, string | undefined>> = {},
): SQL {
  const stored = Object.entries(getTableColumns(table)).filter(([, column]) => column.generated === undefined);
  const values = stored.map(([member]) => computed[member] ?? storedValue(member));
  // Without the condition, SQLite would parse a following ON CONFLICT as the ON of a join.
  return sql`SELECT ${sql.raw(values.join(", "))} FROM json_each(${JSON.stringify(rows)}) WHERE ${isWanted}`;
}
