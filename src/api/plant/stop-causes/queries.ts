import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { CompanyDb } from "../../../db/client.ts";
import { stopCauses } from "../../../db/schema.ts";
import type { Owner, SetUpTable } from "../../../resource/queries.ts";

/** A cause with its own flags and, if it is specific, those of the general cause above it. */
export type StopCauseRow = typeof stopCauses.$inferSelect & {
  generalIsProgrammed: boolean | null;
  generalIsIncludedInAvailability: boolean | null;
};

const { id, companyId, updatedAt, deletedAt, parentId, level, ownIsProgrammed, ownIsIncludedInAvailability } = stopCauses;

/** The flags that a stop of this cause gets, as JSON. Follows the same rule as `flagsOf`. */
export const effectiveFlags = {
  isProgrammed: effective(ownIsProgrammed, "false"),
  isIncludedInAvailability: effective(ownIsIncludedInAvailability, "true"),
};

const columns = {
  ...getTableColumns(stopCauses),
  generalIsProgrammed: sql`${ofGeneral(ownIsProgrammed)}`.mapWith(Boolean).as("general_is_programmed"),
  generalIsIncludedInAvailability: sql`${ofGeneral(ownIsIncludedInAvailability)}`.mapWith(Boolean).as("general_is_included"),
};

export const stopCauseTable: SetUpTable = {
  ...{ table: stopCauses, id, companyId, updatedAt, deletedAt },
  columns: () => columns,
};

/** The statement that reads a cause and all causes above it. */
export function selectCauseAndAbove(db: CompanyDb, ofCompany: Owner, cause: number | null) {
  const above = sql`(WITH RECURSIVE above(id) AS (SELECT ${cause} UNION
    SELECT cause.parent_id FROM ${stopCauses} AS cause JOIN above ON cause.id = above.id) SELECT id FROM above)`;
  return db.select().from(stopCauses).where(sql`${id} IN ${above} AND +${companyId} = ${ofCompany} AND ${deletedAt} IS NULL`);
}

function effective(own: SQLiteColumn, otherwise: "true" | "false"): SQL {
  const flag = sql`coalesce(${own}, ${ofGeneral(own)})`;
  return sql`CASE ${flag} WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE ${sql.raw(`'${otherwise}'`)} END`;
}

function ofGeneral(own: SQLiteColumn): SQL {
  return sql`(SELECT general.${sql.identifier(own.name)} FROM ${stopCauses} AS general
    WHERE general.id = ${parentId} AND ${level} = 'specific')`;
}
