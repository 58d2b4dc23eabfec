import { getTableColumns, sql } from "drizzle-orm";
import { stopCauses } from "../../../db/schema.ts";
import type { SetUpCheck, SetUpTable } from "../queries.ts";

export type StopCauseRow = typeof stopCauses.$inferSelect;

const { id, companyId, updatedAt, deletedAt, parentId, level } = stopCauses;

export const stopCauseTable: SetUpTable<StopCauseRow> = {
  ...{ table: stopCauses, id, companyId, updatedAt, deletedAt },
  columns: getTableColumns(stopCauses),
  checks: (next, before) =>
    next.parentId === null || next.parentId === before?.parentId ? [] : parentChecks(next, next.parentId),
  removalChecks: (before) => [
    {
      status: 409,
      finds: sql`SELECT 1 FROM ${stopCauses} WHERE ${parentId} = ${before.id} AND ${deletedAt} IS NULL LIMIT 1`,
      fault: () => ({ pointer: "", code: "in_use", message: "there are causes below it: delete them first" }),
    },
  ],
};

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
