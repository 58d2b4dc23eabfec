import { getTableColumns } from "drizzle-orm";
import { defectReasons } from "../../../db/schema.ts";
import type { SetUpTable } from "../../../resource/queries.ts";

export type DefectReasonRow = typeof defectReasons.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = defectReasons;

export const defectReasonTable: SetUpTable = {
  ...{ table: defectReasons, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(defectReasons),
};
