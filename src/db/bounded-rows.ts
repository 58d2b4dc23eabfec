import { Column, is, SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { AnyDb } from "./client.ts";

/** A statement that selects rows, with a name of its own for each column. */
export type BoundedSelect<Row> = PromiseLike<Row[]> & SQLWrapper & BatchItem<"sqlite">;

/** A row, and the number of rows that were found: more than were returned if these became too large. */
export type Bounded<Row> = Row & { rows_found: number };

/**
 * The statement that reads the first of the rows that another one selects: as many as have `maxBytes` together, and one more, so that the
 * database does not send what nobody will see.
 */
export function boundedRows<Row>(db: AnyDb, select: BoundedSelect<Row>, maxBytes: number): BoundedSelect<Bounded<Row>> {
  const { fields } = (select as unknown as { config: { fields: Fields } }).config;
  const names = namesIn(fields);
  // The sizes are numbers in raw text: building each part with Drizzle would take longer.
  const size = sql.raw(names.map((name) => `ifnull(octet_length("${name}"), 0)`).join(" + "));
  const measured = sql`SELECT *, sum(${size}) OVER (ROWS UNBOUNDED PRECEDING) - (${size}) AS bytes_before, count(*) OVER () AS rows_found
    FROM (${select.getSQL()})`;
  const columns = { ...renamed(fields), rows_found: sql<number>`rows_found`.as("rows_found") };
  const statement = db
    .select(columns as never)
    .from(sql`(${measured})`)
    .where(sql`bytes_before <= ${maxBytes}`);
  return statement as unknown as BoundedSelect<Bounded<Row>>;
}

/** The rows that `boundedRows` read, and whether there are more than it returned. */
export function rowsOfBounded<Row>(read: readonly Bounded<Row>[]): { rows: Row[]; isCut: boolean } {
  const rows = read.map(({ rows_found: _, ...row }) => row as Row);
  return { rows, isCut: (read[0]?.rows_found ?? 0) > read.length };
}

type Field = Column | SQL.Aliased | Fields;
interface Fields {
  [member: string]: Field;
}

function namesIn(fields: Fields): string[] {
  return Object.values(fields).flatMap((field) => (isLeaf(field) ? [nameOf(field)] : namesIn(field)));
}

/** The same members, as the columns of a subquery. */
function renamed(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([member, field]) => {
      if (!isLeaf(field)) return [member, renamed(field)];
      const name = nameOf(field);
      const column = sql`${sql.identifier(name)}`;
      const decoder = is(field, Column) ? field : (field.sql as unknown as { decoder: Column }).decoder;
      return [member, column.mapWith(decoder).as(name)];
    }),
  );
}

function isLeaf(field: Field): field is Column | SQL.Aliased {
  return is(field, Column) || is(field, SQL.Aliased);
}

function nameOf(field: Column | SQL.Aliased): string {
  return is(field, Column) ? field.name : field.fieldAlias;
}
