import type { DatabaseSync } from "node:sqlite";
import type { Budget } from "./budgets.ts";
import { type Extent, fill } from "./fill.ts";

/** The bytes that the tables grew by, by table and then by the name of the table or index that has them. */
export type Sizes = Map<string, Map<string, number>>;

/** Fills a migrated database, and returns the bytes of a machine-day. */
export async function measure(database: DatabaseSync, extent: Extent): Promise<Sizes> {
  const before = sizesOf(database);
  await fill(database, extent);
  const machineDays = extent.companies * extent.machinesPerCompany * extent.days;
  const grown = [...sizesOf(database)].map(([table, parts]) => {
    const each = [...parts].map(([name, bytes]) => [name, (bytes - (before.get(table)?.get(name) ?? 0)) / machineDays] as const);
    return [table, new Map(each)] as const;
  });
  return new Map(grown);
}

/** The bytes of all pages, of tables and of their indexes. */
function sizesOf(database: DatabaseSync): Sizes {
  const rows = database
    .prepare(
      `SELECT coalesce(tbl_name, dbstat.name) AS "table", dbstat.name, pgsize AS bytes FROM dbstat
       LEFT JOIN sqlite_master ON sqlite_master.name = dbstat.name WHERE aggregate = TRUE`,
    )
    .all() as { table: string; name: string; bytes: number }[];
  const byTable = Map.groupBy(rows, ({ table }) => table);
  return new Map([...byTable].map(([table, parts]) => [table, new Map(parts.map(({ name, bytes }) => [name, bytes]))]));
}

export function bytesOf(sizes: Sizes, { tables }: Pick<Budget, "tables">): number {
  return tables.reduce((sum, table) => sum + sumOf(sizes.get(table)), 0);
}

export function sumOf(parts: ReadonlyMap<string, number> | undefined): number {
  return [...(parts?.values() ?? [])].reduce((sum, bytes) => sum + bytes, 0);
}
