import { getTableColumns } from "drizzle-orm";
import { operators } from "../../../db/schema.ts";
import { isFree, type SetUpTable } from "../queries.ts";

export type OperatorRow = typeof operators.$inferSelect;

const { id, companyId, updatedAt, deletedAt, code } = operators;

export const operatorTable: SetUpTable<OperatorRow> = {
  ...{ table: operators, id, companyId, updatedAt, deletedAt },
  columns: getTableColumns(operators),
  checks: (next, before) => (next.code === before?.code ? [] : [isFree(operatorTable, next, code, next.code, "/code")]),
};
