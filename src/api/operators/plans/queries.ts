import { and, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { CompanyDb } from "../../../db/client.ts";
import { ifGiven, inList } from "../../../db/conditions.ts";
import { isUnchanged } from "../../../db/expect.ts";
import { machines, operatorPlanAssignments, operatorPlans, operators, shifts } from "../../../db/schema.ts";
import { raiseVersions } from "../../../objects/notify-machines.ts";
import { jsonColumn, type Owner, type SetUpTable } from "../../../resource/queries.ts";

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
export function replaceAssignments(db: CompanyDb, plan: OperatorPlanRow, assignments: readonly Assignment[]) {
  return [
    db.delete(operatorPlanAssignments).where(eq(planId, plan.id)),
    db.insert(operatorPlanAssignments).select(
      sql`SELECT ${plan.id}, value->>'machineId', value->>'shiftId', value->>'operatorId'
        FROM json_each(${JSON.stringify(assignments)})`,
    ),
  ];
}

/** The statement that reads a company's operators with these codes. */
export function selectOperatorsByCode(db: CompanyDb, ofCompany: Owner, codes: readonly string[]) {
  const { id, code } = operators;
  return db
    .select({ id, code })
    .from(operators)
    .where(sql`${isLivingOf(operators, ofCompany)} AND ${inList(code, codes)}`);
}

/** The statement that reads a company's machines with these refs. */
export function selectMachinesByRef(db: CompanyDb, ofCompany: Owner, refs: readonly string[]) {
  const { id, ref } = machines;
  return db
    .select({ id, ref })
    .from(machines)
    .where(sql`${isLivingOf(machines, ofCompany)} AND ${inList(ref, refs)}`);
}

/** The statement that reads the names of a company's shifts, and their machines. */
export function selectShiftNames(db: CompanyDb, ofCompany: Owner) {
  const { id, name, machineIds } = shifts;
  return db.select({ id, name, machineIds }).from(shifts).where(isLivingOf(shifts, ofCompany));
}

function isLivingOf(table: { companyId: SQLiteColumn; deletedAt: SQLiteColumn }, ofCompany: Owner) {
  return sql`${table.companyId} = ${ofCompany} AND ${isNull(table.deletedAt)}`;
}

type PlanColumns = typeof operatorPlans.$inferSelect;
export type PlanRow = Awaited<ReturnType<typeof selectPlan>>[number];

/** The statement that reads a plan of a company (undefined: any), with its numbers of operators and machines: none or one row. */
export function selectPlan(db: CompanyDb, id: string, companyId: number | undefined) {
  const { operatorId, machineId, planId } = operatorPlanAssignments;
  const countOf = (column: typeof operatorId | typeof machineId) => {
    const count = sql`(SELECT count(DISTINCT ${column}) FROM ${operatorPlanAssignments} WHERE ${planId} = ${operatorPlans.id})`;
    return sql<number>`${count}`;
  };
  return db
    .select({
      ...getTableColumns(operatorPlans),
      operatorCount: countOf(operatorId).as("operator_count"),
      machineCount: countOf(machineId).as("machine_count"),
    })
    .from(operatorPlans)
    .where(and(eq(operatorPlans.id, id), isNull(operatorPlans.deletedAt), ifGiven(operatorPlans.companyId, companyId)));
}

/** Condition: the plan is unchanged since it was read. */
export function isSamePlan(plan: PlanRow): SQL {
  return isUnchanged(operatorPlans, plan);
}

/** The statement that updates columns of a plan. */
export function updatePlan(db: CompanyDb, id: string, values: Partial<PlanColumns>) {
  return db.update(operatorPlans).set(values).where(eq(operatorPlans.id, id));
}

/** The statement that raises the set-up versions of a plan's machines. */
export function raiseVersionsOf(db: CompanyDb, id: string) {
  const { machineId, planId } = operatorPlanAssignments;
  const isPlanned = sql`${machines.id} IN (SELECT ${machineId} FROM ${operatorPlanAssignments} WHERE ${planId} = ${id})`;
  return raiseVersions(db, and(isPlanned, isNull(machines.deletedAt)));
}
