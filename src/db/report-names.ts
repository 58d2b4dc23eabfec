import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "./client.ts";
import type { companies, shifts, stopCauses } from "./schema.ts";

/** A column of ids, and the table of what they name. At most five are asked for at once: D1 takes no longer UNION. */
type Named = readonly [column: SQLiteColumn, of: typeof companies | typeof shifts | typeof stopCauses];

/**
 * The statement that gives the names of what the rows of a page name. It reads the page once more and each name once,
 * where joins would read every name with every row.
 */
export function selectNames(db: Db, page: SQL, named: readonly Named[]) {
  const lists = named.map(([column], i) => sql`json_group_array(DISTINCT ${sql.identifier(column.name)}) AS ${list(i)}`);
  const names = named.map(
    ([column, of], i) => sql`SELECT ${column.name} AS of_column, named.id AS named_id, named.name AS name
      FROM lists, json_each(lists.${list(i)}) AS one CROSS JOIN ${of} AS named ON named.id = one.value`,
  );
  return db
    .select({
      ofColumn: sql<string>`names.of_column`.as("of_column"),
      id: sql<number>`names.named_id`.as("named_id"),
      name: sql<string>`names.name`.as("name"),
    })
    .from(
      sql`(WITH lists AS MATERIALIZED (SELECT ${sql.join(lists, sql`, `)} FROM (${page})) ${sql.join(names, sql` UNION ALL `)}) AS names`,
    );
}

/** Finds the name that belongs to an id in a column, among those that `selectNames` gave; null: there is none. */
export function nameFinder(rows: Awaited<ReturnType<typeof selectNames>>) {
  const names = new Map(rows.map(({ ofColumn, id, name }) => [`${ofColumn} ${id}`, name]));
  return (column: SQLiteColumn, id: number | null) => names.get(`${column.name} ${id}`) ?? null;
}

function list(i: number): SQL {
  return sql.raw(`list_${i}`);
}
