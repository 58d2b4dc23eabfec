import { eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "../../../db/client.ts";
import { inList } from "../../../db/conditions.ts";
import { machines, operatorPlanAssignments, operatorPlans, operators, shifts } from "../../../db/schema.ts";
import { jsonColumn, type Owner, type SetUpTable } from "../queries.ts";

/** An operator who is planned at a machine in a shift. */
export interface Assignment {
  operatorId: number;
  machineId: number;
  shiftId: number;
}

/** A plan with its assignments, sorted by machine, shift and operator. */
export type OperatorPlanRow = Omit<typeof operatorPlans.$inferSelect, "fileId"> & {
  fileId?: string | null;
  assignments: Assignment[];
};

const { id, companyId, updatedAt, deletedAt } = operatorPlans;
const { planId, machineId, shiftId, operatorId } = operatorPlanAssignments;

const columns = {
  ...getTableColumns(operatorPlans),
  assignments: jsonColumn(
    "assignments",
    sql`(SELECT json_group_array(json_object('operatorId', ${operatorId}, 'machineId', ${machineId}, 'shiftId', ${shiftId})
      ORDER BY ${machineId}, ${shiftId}, ${operatorId}) FROM ${operatorPlanAssignments} WHERE ${planId} = ${id})`,
  ),
};

export const operatorPlanTable: SetUpTable = {
  ...{ table: operatorPlans, id, companyId, updatedAt, deletedAt },
  columns: () => columns,
};

/** The statements that replace the assignments of a plan. */
export function replaceAssignments(db: Db, plan: OperatorPlanRow, assignments: readonly Assignment[]) {
  return [
    db.delete(operatorPlanAssignments).where(eq(planId, plan.id)),
    db.insert(operatorPlanAssignments).select(
      sql`SELECT ${plan.id}, value->>'machineId', value->>'shiftId', value->>'operatorId'
        FROM json_each(${JSON.stringify(assignments)})`,
    ),
  ];
}

/** The statement that reads a company's operators with these codes. */
export function selectOperatorsByCode(db: Db, ofCompany: Owner, codes: readonly string[]) {
  const { id, code } = operators;
  return db
    .select({ id, code })
    .from(operators)
    .where(sql`${isLivingOf(operators, ofCompany)} AND ${inList(code, codes)}`);
}

/** The statement that reads a company's machines with these refs. */
export function selectMachinesByRef(db: Db, ofCompany: Owner, refs: readonly string[]) {
  const { id, ref } = machines;
  return db
    .select({ id, ref })
    .from(machines)
    .where(sql`${isLivingOf(machines, ofCompany)} AND ${inList(ref, refs)}`);
}

/** The statement that reads the names of a company's shifts, and their machines. */
export function selectShiftNames(db: Db, ofCompany: Owner) {
  const { id, name, machineIds } = shifts;
  return db.select({ id, name, machineIds }).from(shifts).where(isLivingOf(shifts, ofCompany));
}

function isLivingOf(table: { companyId: SQLiteColumn; deletedAt: SQLiteColumn }, ofCompany: Owner) {
  return sql`${table.companyId} = ${ofCompany} AND ${isNull(table.deletedAt)}`;
}
