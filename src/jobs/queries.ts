import { lt, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { AnyDb, Db } from "../db/client.ts";
import { companies, dashboards, forgottenPictures, machines, widgetInstances, widgets } from "../db/schema.ts";

/** Up to `limit` machines whose objects have not applied their newest set-up. Includes deleted machines: their ledgers must be ended. */
export function findUnconfiguredMachines(db: Db, limit: number) {
  return (
    db
      .select({ machineId: machines.id, configVersion: machines.configVersion })
      .from(machines)
      .where(lt(machines.configuredVersion, machines.configVersion))
      // In random order, so that machines that always fail do not hold up the others.
      .orderBy(sql`random()`)
      .limit(limit)
  );
}

/** Rows of a table by a time (epoch ms) that has an index, at least within each company; `of` limits them further. */
export interface AgedRows {
  table: SQLiteTable;
  time: SQLiteColumn;
  of?: SQL | undefined;
  /** The column of a table whose index by time begins with the company. */
  companyId?: SQLiteColumn;
}

/** Deletes up to `limit` of the rows whose time is `until` or before, oldest first (of each company). Returns the number of deleted rows. */
export async function deleteAged(db: AnyDb, rows: AgedRows, until: number, limit: number): Promise<number> {
  const { table, time, of = sql`true`, companyId } = rows;
  // Tables with a key of several columns have no rowid.
  const [key] = getTableConfig(table).primaryKeys;
  const named = key
    ? sql.join(
        key.columns.map((column) => sql`${column}`),
        sql`, `,
      )
    : sql`rowid`;
  const isAged = sql`${time} <= ${until} AND ${of}`;
  const aged = companyId
    ? sql`SELECT ${named} FROM ${companies} CROSS JOIN ${table} WHERE ${companyId} = ${companies.id} AND ${isAged} LIMIT ${limit}`
    : sql`SELECT ${named} FROM ${table} WHERE ${isAged} ORDER BY ${time} LIMIT ${limit}`;
  // The number of changes that D1 reports includes those by triggers.
  const deleted = await db
    .delete(table)
    .where(sql`(${named}) IN (${aged})`)
    .returning({ one: sql`1`.as("one") });
  return deleted.length;
}

/**
 * Marks those of the pictures that are unused as forgotten at `now`, so that no row can use them any more, and returns their keys. A deleted widget
 * is still shown by the dashboards that it is on.
 */
export async function markUnused(db: Db, keys: readonly string[], now: number): Promise<string[]> {
  if (keys.length === 0) return [];
  const key = sql.raw("asked.value");
  const shown = sql`(${widgets.deletedAt} IS NULL OR EXISTS (SELECT 1 FROM ${widgetInstances} JOIN ${dashboards}
    ON ${dashboards.id} = ${widgetInstances.dashboardId} WHERE ${widgetInstances.widgetId} = ${widgets.id}
    AND ${widgetInstances.deletedAt} IS NULL AND ${dashboards.deletedAt} IS NULL))`;
  const shows = [
    sql`SELECT 1 FROM ${widgets} WHERE ${widgets.thumbnailKey} = ${key} AND ${shown}`,
    sql`SELECT 1 FROM ${widgets} WHERE ${widgets.compressedThumbnailKey} = ${key} AND ${shown}`,
    sql`SELECT 1 FROM ${dashboards} WHERE ${dashboards.thumbnailKey} = ${key} AND ${dashboards.deletedAt} IS NULL`,
    sql`SELECT 1 FROM ${dashboards} WHERE ${dashboards.compressedThumbnailKey} = ${key} AND ${dashboards.deletedAt} IS NULL`,
  ];
  const unused = sql.join(
    shows.map((row) => sql`NOT EXISTS (${row})`),
    sql` AND `,
  );
  const marked = await db
    .insert(forgottenPictures)
    .select(sql`SELECT ${key}, ${now} FROM json_each(${JSON.stringify(keys)}) AS asked WHERE ${unused}`)
    .onConflictDoUpdate({ target: forgottenPictures.key, set: { at: now } })
    .returning({ key: forgottenPictures.key });
  return marked.map((row) => row.key);
}
