import { getTableColumns } from "drizzle-orm";
import { lines } from "../../../db/schema.ts";
import type { SetUpTable } from "../../../resource/queries.ts";

export type LineRow = typeof lines.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = lines;

export const lineTable: SetUpTable = {
  ...{ table: lines, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(lines),
};
