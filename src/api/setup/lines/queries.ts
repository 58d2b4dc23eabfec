import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { lines, machines } from "../../../db/schema.ts";
import type { Condition, SetUpTable } from "../queries.ts";

export type LineRow = typeof lines.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = lines;

export const lineTable: SetUpTable = {
  ...{ table: lines, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(lines),
};

/** The statement that reads a machine of a line: none or one row. Deleted machines do not count. */
export function selectMachineOf(db: Db, line: number | string | undefined) {
  return db.select({ id: machines.id }).from(machines).where(isIn(line)).limit(1);
}

/** Condition: the line has no machines. */
export function hasNoMachines(line: number): Condition {
  return sql`NOT EXISTS (SELECT 1 FROM ${machines} WHERE ${isIn(line)})`;
}

function isIn(line: number | string | undefined) {
  return and(eq(machines.lineId, Number(line)), isNull(machines.deletedAt));
}
