import { getTableColumns } from "drizzle-orm";
import { operators } from "../../db/schema.ts";
import type { SetUpTable } from "../../resource/queries.ts";

export type OperatorRow = typeof operators.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = operators;

export const operatorTable: SetUpTable = {
  ...{ table: operators, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(operators),
};
