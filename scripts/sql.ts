import { getTableColumns, type InferInsertModel } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";

/** SQL literal of a value as its column stores it: null, number or text. */
function literal(value: unknown): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(value);
  return `'${String(value).replaceAll("'", "''")}'`;
}

/** SQL text with its values as literals. */
export function sql(parts: TemplateStringsArray, ...values: (string | number | null)[]): string {
  return String.raw({ raw: parts }, ...values.map(literal));
}

/** One INSERT statement per row, a line each. Members that a row leaves out get the column's default. */
export function insertSql<T extends SQLiteTable>(table: T, rows: InferInsertModel<T>[]): string {
  const columns = Object.entries(getTableColumns(table));
  return rows
    .map((row) => {
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
