import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { stopCauses } from "../../../db/schema.ts";
import type { SetUpCheck, SetUpTable } from "../queries.ts";

/** A cause with its own flags, and those that a stop of it gets. */
export type StopCauseRow = typeof stopCauses.$inferSelect & { isProgrammed: boolean; isIncludedInAvailability: boolean };

const { id, companyId, updatedAt, deletedAt, parentId, level, name } = stopCauses;

/** The flags that a stop of a cause gets, as JSON: its own, else of a specific cause those of the general one above it. */
export const effectiveFlags = {
  isProgrammed: inherited(stopCauses.ownIsProgrammed, "false"),
  isIncludedInAvailability: inherited(stopCauses.ownIsIncludedInAvailability, "true"),
};

function inherited(own: SQLiteColumn, otherwise: "true" | "false"): SQL {
  const ofGeneral = sql`(SELECT general.${sql.identifier(own.name)} FROM ${stopCauses} AS general
    WHERE general.id = ${parentId} AND ${level} = 'specific')`;
  return sql`CASE coalesce(${own}, ${ofGeneral}) WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE ${sql.raw(`'${otherwise}'`)} END`;
}

export const stopCauseTable: SetUpTable<StopCauseRow> = {
  ...{ table: stopCauses, id, companyId, updatedAt, deletedAt },
  columns: getTableColumns(stopCauses),
  extras: () => effectiveFlags,
  checks: (next, before) => [
    ...(next.parentId === null || next.parentId === before?.parentId ? [] : parentChecks(next, next.parentId)),
    ...(next.parentId === before?.parentId && next.name === before.name ? [] : [nameIsFree(next)]),
  ],
  removalChecks: (before) => [
    {
      status: 409,
      finds: sql`SELECT 1 FROM ${stopCauses} WHERE ${parentId} = ${before.id} AND ${deletedAt} IS NULL LIMIT 1`,
      fault: () => ({ pointer: "", code: "in_use", message: "there are causes below it: delete them first" }),
    },
  ],
};

function nameIsFree(next: StopCauseRow): SetUpCheck {
  return {
    status: 409,
    finds: sql`SELECT 1 FROM ${stopCauses} WHERE ${companyId} = ${next.companyId} AND ${level} = ${next.level}
      AND ${parentId} IS ${next.parentId} AND ${name} = ${next.name} AND ${deletedAt} IS NULL AND ${id} <> ${next.id}`,
    fault: () => ({
      pointer: "/name",
      code: "taken",
      message: "is the name of another cause of the level under the same parent",
    }),
  };
}

function parentChecks(next: StopCauseRow, parent: number): SetUpCheck[] {
  const isFit = next.level === "specific" ? sql`${level} = 'general'` : sql`true`;
  return [
    {
      status: 400,
      finds: sql`iif(EXISTS (SELECT 1 FROM ${stopCauses} WHERE ${id} = ${parent} AND ${companyId} = ${next.companyId}
        AND ${deletedAt} IS NULL AND ${isFit}), NULL, 1)`,
      fault: () => ({
        pointer: "/parentId",
        code: "not_found",
        message: next.level === "specific" ? "names no general cause of the company" : "names no cause of the company",
      }),
    },
    {
      status: 409,
      finds: sql`WITH RECURSIVE above(id) AS (SELECT ${parent} UNION
        SELECT cause.parent_id FROM ${stopCauses} AS cause JOIN above ON cause.id = above.id)
        SELECT 1 FROM above WHERE above.id = ${next.id}`,
      fault: () => ({ pointer: "/parentId", code: "cycle", message: "names the cause itself, or one below it" }),
    },
  ];
}
