import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { integer, type SQLiteColumn, type SQLiteTable, sqliteTable } from "drizzle-orm/sqlite-core";
import type { AnyDb } from "./client.ts";

// Makes a batch fail as a whole if the data it was based on has changed. The table `expect` of the migrations is always empty: its trigger
// raises `stale_read` for each inserted value other than 1, and ignores the others.
//
//   INSERT INTO expect (holds) SELECT (SELECT updated_at FROM personas WHERE id = ?) = ?

/** Not part of the schema: nothing is ever stored in it. */
const expectations = sqliteTable("expect", { holds: integer("holds") });

/** The statement that fails unless all conditions are true. It must be the first of its batch. */
export function expect(db: AnyDb, conditions: readonly SQL[]) {
  const all = sql.join(
    conditions.map((condition) => sql`coalesce((${condition}), 0)`),
    sql` AND `,
  );
  return db.insert(expectations).select(sql`SELECT ${all}`);
}

/** The columns of a table whose rows have a version: every change of a row raises its `updatedAt`. */
interface Versioned {
  id: SQLiteColumn;
  updatedAt: SQLiteColumn;
  deletedAt?: SQLiteColumn;
}

/** Condition: a row is unchanged since it was read. */
export function isUnchanged(table: SQLiteTable & Versioned, row: { id: number | string; updatedAt: number }): SQL {
  const isRow = and(
    eq(table.id, row.id),
    eq(table.updatedAt, row.updatedAt),
    table.deletedAt ? isNull(table.deletedAt) : undefined,
  );
  return sql`EXISTS (SELECT 1 FROM ${table} WHERE ${isRow})`;
}

/** Condition: the one row that `where` finds is unchanged since it was read, or still does not exist. */
export function isAsRead(
  table: SQLiteTable & Pick<Versioned, "updatedAt">,
  where: SQL | undefined,
  row?: { updatedAt: number },
): SQL {
  return sql`(SELECT ${table.updatedAt} FROM ${table} WHERE ${where}) IS ${row?.updatedAt ?? null}`;
}

/** The `updatedAt` of a changed row: now, but always later than before. */
export function nextUpdatedAt({ updatedAt }: { updatedAt: number }, now = Date.now()): number {
  return Math.max(now, updatedAt + 1);
}
