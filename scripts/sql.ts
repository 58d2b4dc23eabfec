import { getTableColumns, type InferInsertModel } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { literal } from "./sql-text.ts";

/** One INSERT statement per row, one per line. Members that a row lacks get the column's default. Throws on a member that is not a column. */
export function insertSql<T extends SQLiteTable>(table: T, rows: InferInsertModel<T>[]): string {
  const columns = Object.entries(getTableColumns(table));
  return rows
    .map((row) => {
      const unknown = Object.keys(row).find((member) => !columns.some(([name]) => name === member));
      if (unknown) throw new Error(`${getTableConfig(table).name} has no column for ${unknown}`);
      const given = columns.flatMap(([member, column]) => {
        const value = (row as Record<string, unknown>)[member];
        if (value === undefined) return [];
        return [[column.name, literal(value === null ? null : column.mapToDriverValue(value))] as const];
      });
      const names = given.map(([name]) => `"${name}"`).join(", ");
      const values = given.map(([, value]) => value).join(", ");
      return `INSERT INTO "${getTableConfig(table).name}" (${names}) VALUES (${values});\n`;
    })
    .join("");
}
