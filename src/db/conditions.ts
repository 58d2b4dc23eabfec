import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { machines } from "./schema.ts";

/**
 * `column IN (values)` with the values as one parameter: D1 allows 100 per statement. A single value is compared with `=`, so that an
 * index on the column keeps the rows in order.
 */
export function inList(column: SQLWrapper, values: readonly (number | string)[]): SQL {
  if (values.length === 1) return sql`${column} = ${values[0]}`;
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** Like `inList`; no condition if there is no list. */
export function ifListed(column: SQLWrapper, values: readonly (number | string)[] | undefined): SQL | undefined {
  return values && inList(column, values);
}

/**
 * Rows of the machines that are in one of these lines now; no condition if there is no list. Of deleted machines, too: they keep their line.
 * The plus keeps SQLite from looking the machines up one by one: rows are to be read in the order of another index.
 */
export function ifInLines(machineId: SQLWrapper, lineIds: readonly number[] | undefined): SQL | undefined {
  if (!lineIds) return undefined;
  return sql`+${machineId} IN (SELECT in_line.id FROM ${machines} AS in_line WHERE ${inList(sql`in_line.line_id`, lineIds)})`;
}

/** `column = value`; no condition if there is no value. */
export function ifGiven(column: SQLiteColumn, value: unknown): SQL | undefined {
  return value === undefined ? undefined : eq(column, value);
}
