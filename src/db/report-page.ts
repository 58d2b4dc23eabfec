import { type GetColumnData, getTableName, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { CompanyDb } from "./client.ts";
import { type Member, rowMaker } from "./row-maker.ts";

/** Columns by member name. At most 31: D1 limits the arguments of a function to 32. */
type Columns = Record<string, SQLiteColumn>;
type Row<C extends Columns> = { [Name in keyof C]: GetColumnData<C[Name]> };

/** A table that rows refer to by one of their columns, and the columns to read from it. */
interface Reference {
  /** Or the name of one of the numbers. */
  by: SQLiteColumn | string;
  columns: Columns & { id: SQLiteColumn };
}
type References = Record<string, Reference>;

/** A page of a table's rows. */
interface Page<C extends Columns, J extends Columns, R extends References, N extends string> {
  /** The statement that selects the rows, in order. */
  rows: SQL;
  /** The maximum number of rows that it returns. */
  size: number;
  /** A scalar, usually the number of rows on all pages. */
  total: SQL;
  /** A scalar that is read as well. */
  also: SQL;
  columns: C;
  /** The names of numbers that `rows` returns in addition to the columns. */
  numbers?: readonly N[];
  /** A table that is joined to each row, because most rows of a page refer to different rows of it. */
  joined: { by: SQLiteColumn; id: SQLiteColumn; columns: J };
  /** Tables that are read once per page, because the rows refer to few rows of them. */
  references: R;
}

interface ReadPage<C extends Columns, J extends Columns, R extends References, N extends string> {
  totalCount: number;
  also: unknown;
  rows: (Row<C> & Row<J> & Record<N, number>)[];
  /** The referenced rows, by id. */
  referred: { [Name in keyof R]: ReadonlyMap<number | null, Row<R[Name]["columns"]>> };
}

/** Rows per JSON value: D1 returns no value of more than 2 MB, and a row has at most 14 KB. */
const rowsOfValue = 100;

/**
 * Returns the statement that reads a page, the rows it refers to and the total number of rows while searching for the page only once, and the
 * function that builds the page from its result. The page is returned as a JSON array of arrays instead of rows:
 *
 *   total | rows_0                       | referred
 *   5210  | [[17, 3, ...], [18, 3, ...]] | [[[1, "Acme"]], [[3, "Night shift"], ...]]
 *
 * With plain rows, each row would repeat the names of its company, shift and causes, or a second statement would have to find the page again:
 * 247 stop reports per second became 413 (docs/adr/0004-pages-of-reports.md). test/api/reports/deep-pages.test.ts compares its pages with the
 * whole list.
 */
export function selectPage<C extends Columns, J extends Columns, R extends References, N extends string = never>(
  db: CompanyDb,
  page: Page<C, J, R, N>,
) {
  const { columns, joined, total, also, numbers = [] } = page;
  const references = Object.entries(page.references);
  const parts = Array.from({ length: Math.ceil(page.size / rowsOfValue) }, (_, i) => `rows_${i}`);
  const isDivided = parts.length > 1;
  const rows = isDivided ? sql`SELECT *, row_number() OVER () AS nth FROM (${page.rows})` : page.rows;
  const isOfPart = (i: number) => `FILTER (WHERE nth > ${i * rowsOfValue} AND nth <= ${(i + 1) * rowsOfValue})`;
  // Raw text: building it with Drizzle took half as long as the query itself. What is not a column of the page is an array in the array, because a
  // function has few arguments.
  const others = [...namesIn("joined", joined.columns), ...numbers.map((name) => `page.${name}`)];
  const values = arrayOf([...namesIn("page", columns), `json_array(${others.join(", ")})`]);
  const nameOf = (by: SQLiteColumn | string) =>
    typeof by === "string" ? `page.${by}` : `${by.table === joined.id.table ? "joined" : "page"}.${by.name}`;
  const gathered = [
    ...parts.map((part, i) => `${values} ${isDivided ? isOfPart(i) : ""} AS ${part}`),
    ...references.map(([name, { by }]) => `json_group_array(DISTINCT ${nameOf(by)}) AS list_of_${name}`),
  ];
  const join = `LEFT JOIN ${getTableName(joined.id.table)} AS joined ON joined.${joined.id.name} = page.${joined.by.name}`;
  const referred = references.map(
    ([name, { columns }]) => `json((SELECT ${arrayOf(namesIn("named", columns))} FROM json_each(gathered.list_of_${name}) AS one
      CROSS JOIN ${getTableName(columns.id.table)} AS named ON named.${columns.id.name} = one.value))`,
  );
  const fields = {
    total: sql`${total}`.as("total"),
    also: sql`${also}`.as("also"),
    referred: sql.raw(`json_array(${referred.join(", ")})`).as("referred"),
    ...Object.fromEntries(parts.map((part) => [part, sql.raw(`gathered.${part}`).as(part)])),
  };
  const statement = db
    .select(fields)
    .from(sql`(SELECT ${sql.raw(gathered.join(", "))} FROM (${rows}) AS page ${sql.raw(join)}) AS gathered`);
  const read = ([result = {}]: Record<string, unknown>[]): ReadPage<C, J, R, N> => {
    const found: unknown[][][] = JSON.parse(String(result.referred));
    const byId = references.map(([name, { columns }], i) => {
      const ones = (found[i] ?? []).map(rowMaker(membersOf(columns)));
      return [name, new Map(ones.map((one) => [one.id, one]))];
    });
    const given = parts.flatMap((part): unknown[][] => JSON.parse(String(result[part])));
    const rowOf = rowMaker(membersOf(columns));
    const othersOf = rowMaker([...membersOf(joined.columns), ...numbers.map((name) => ({ name, decoder: null }))]);
    const made = given.map((values) => ({ ...rowOf(values), ...othersOf(values[values.length - 1] as unknown[]) }));
    return {
      totalCount: Number(result.total),
      also: result.also,
      rows: made as ReadPage<C, J, R, N>["rows"],
      referred: Object.fromEntries(byId),
    };
  };
  return { statement, read };
}

/** The JSON array of rows, each an array of these values. */
function arrayOf(values: readonly string[]): string {
  return `json_group_array(json_array(${values.join(", ")}))`;
}

function namesIn(table: string, columns: Columns): string[] {
  return Object.values(columns).map(({ name }) => `${table}.${name}`);
}

function membersOf(columns: Columns): Member[] {
  return Object.entries(columns).map(([name, decoder]) => ({ name, decoder }));
}
