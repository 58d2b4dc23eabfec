import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { integer, type SQLiteColumn, type SQLiteTable, sqliteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./client.ts";

// A batch can be made to fail as a whole when what it was decided by has changed. The table `expect` of the migrations never holds a row:
// its trigger raises `stale_read` for each value other than 1 that is inserted, and ignores the others.
//
//   INSERT INTO expect (holds) SELECT (SELECT updated_at FROM personas WHERE id = ?) = ?

/** Not part of the schema: nothing is ever stored in it. */
const expectations = sqliteTable("expect", { holds: integer("holds") });

/** The statement that fails unless all conditions hold. It has to come first in its batch. */
export function expect(db: Db, conditions: readonly SQL[]) {
  const all = sql.join(
    conditions.map((condition) => sql`coalesce((${condition}), 0)`),
    sql` AND `,
  );
  return db.insert(expectations).select(sql`SELECT ${all}`);
}

/** The columns of a table whose rows carry a version: every change of a row raises its `updatedAt`. */
interface Versioned {
  id: SQLiteColumn;
  updatedAt: SQLiteColumn;
  deletedAt?: SQLiteColumn;
}

/** Holds while a row is as it was read. */
export function isUnchanged(table: SQLiteTable & Versioned, row: { id: number | string; updatedAt: number }): SQL {
  const isRow = and(
    eq(table.id, row.id),
    eq(table.updatedAt, row.updatedAt),
    table.deletedAt ? isNull(table.deletedAt) : undefined,
  );
  return sql`EXISTS (SELECT 1 FROM ${table} WHERE ${isRow})`;
}

/** Holds while the one row that a condition finds is as it was read; where there was none, while there is none. */
export function isAsRead(
  table: SQLiteTable & Pick<Versioned, "updatedAt">,
  where: SQL | undefined,
  row?: { updatedAt: number },
): SQL {
  return sql`(SELECT ${table.updatedAt} FROM ${table} WHERE ${where}) IS ${row?.updatedAt ?? null}`;
}

/** The `updatedAt` of a changed row: now, and later than before in any case. */
export function nextUpdatedAt({ updatedAt }: { updatedAt: number }, now = Date.now()): number {
  return Math.max(now, updatedAt + 1);
}
