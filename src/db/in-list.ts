import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** `column IN (values)` with the values as one parameter: a statement may have 100 at most. */
export function inList(column: SQLWrapper, values: readonly (number | string)[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}
