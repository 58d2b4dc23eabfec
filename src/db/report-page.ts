import { type GetColumnData, getTableName, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "./client.ts";

/** Columns by the members that a row has for them: 32 at most, as D1 takes no more arguments of a function. */
type Columns = Record<string, SQLiteColumn>;
type Row<C extends Columns> = { [Name in keyof C]: GetColumnData<C[Name]> };

/** What rows refer to by a column of theirs, and what is read of it. */
interface Reference {
  by: SQLiteColumn;
  columns: Columns & { id: SQLiteColumn };
}
type References = Record<string, Reference>;

/** A page of a table's rows, to be read. */
interface Page<C extends Columns, J extends Columns, R extends References> {
  /** The statement that selects the rows, in order. */
  rows: SQL;
  /** How many rows it gives at most. */
  size: number;
  /** How many rows there are, on this page and all others: a scalar. */
  total: SQL;
  columns: C;
  /** What is read with each row, from the table that it refers to by a column: pages are of many of these. */
  joined: { by: SQLiteColumn; id: SQLiteColumn; columns: J };
  /** What else the rows refer to: few things, each of which is read once. */
  references: R;
}

interface ReadPage<C extends Columns, J extends Columns, R extends References> {
  totalCount: number;
  rows: (Row<C> & Row<J>)[];
  /** What the rows refer to, by its id. */
  referred: { [Name in keyof R]: ReadonlyMap<number | null, Row<R[Name]["columns"]>> };
}

/** So many rows are one value: D1 gives none of more than 2 MB, and a row is 14 KB at the very most. */
const rowsOfValue = 100;

/**
 * Reads a page, what it refers to, and how many rows there are, in one statement, which finds the page and reads it once: rows
 * that came as rows would each have to bring all that they refer to, or be found and read again for it.
 */
export async function readPage<C extends Columns, J extends Columns, R extends References>(
  db: Db,
  page: Page<C, J, R>,
): Promise<ReadPage<C, J, R>> {
  const { columns, joined, total } = page;
  const references = Object.entries(page.references);
  const parts = Array.from({ length: Math.ceil(page.size / rowsOfValue) }, (_, i) => `rows_${i}`);
  const isDivided = parts.length > 1;
  const rows = isDivided ? sql`SELECT *, row_number() OVER () AS nth FROM (${page.rows})` : page.rows;
  const isOfPart = (i: number) => `FILTER (WHERE nth > ${i * rowsOfValue} AND nth <= ${(i + 1) * rowsOfValue})`;
  // As text: Drizzle would write it anew with each request, which took as long as half of what the page takes the database.
  const values = arrayOf([...namesIn("page", columns), ...namesIn("joined", joined.columns)]);
  const gathered = [
    ...parts.map((part, i) => `${values} ${isDivided ? isOfPart(i) : ""} AS ${part}`),
    ...references.map(([name, { by }]) => `json_group_array(DISTINCT page.${by.name}) AS list_of_${name}`),
  ];
  const join = `LEFT JOIN ${getTableName(joined.id.table)} AS joined ON joined.${joined.id.name} = page.${joined.by.name}`;
  const referred = references.map(
    ([name, { columns }]) => `json((SELECT ${arrayOf(namesIn("named", columns))} FROM json_each(gathered.list_of_${name}) AS one
      CROSS JOIN ${getTableName(columns.id.table)} AS named ON named.${columns.id.name} = one.value))`,
  );
  const fields = {
    total: sql`${total}`.as("total"),
    referred: sql.raw(`json_array(${referred.join(", ")})`).as("referred"),
    ...Object.fromEntries(parts.map((part) => [part, sql.raw(`gathered.${part}`).as(part)])),
  };
  const [read = {}]: Record<string, unknown>[] = await db
    .select(fields)
    .from(sql`(SELECT ${sql.raw(gathered.join(", "))} FROM (${rows}) AS page ${sql.raw(join)}) AS gathered`);
  const found: unknown[][][] = JSON.parse(String(read.referred));
  const byId = references.map(([name, { columns }], i) => {
    const ones = (found[i] ?? []).map(mapperOf(columns));
    return [name, new Map(ones.map((one) => [one.id, one]))];
  });
  const given = parts.flatMap((part): unknown[][] => JSON.parse(String(read[part])));
  return {
    totalCount: Number(read.total),
    rows: given.map(mapperOf({ ...columns, ...joined.columns })) as (Row<C> & Row<J>)[],
    referred: Object.fromEntries(byId),
  };
}

/** An array of rows, each an array of these values. */
function arrayOf(values: readonly string[]): string {
  return `json_group_array(json_array(${values.join(", ")}))`;
}

function namesIn(table: string, columns: Columns): string[] {
  return Object.values(columns).map(({ name }) => `${table}.${name}`);
}

/** Makes rows of lists of values as D1 has them, in the order of the columns. */
function mapperOf(columns: Columns): (values: unknown[]) => Record<string, unknown> {
  const members = Object.entries(columns);
  return (values) =>
    Object.fromEntries(
      members.map(([name, column], i) => [name, values[i] === null ? null : column.mapFromDriverValue(values[i])]),
    );
}
