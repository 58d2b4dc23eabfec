import { and, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { ifGiven } from "../../db/conditions.ts";
import { isUnchanged } from "../../db/expect.ts";
import { machines, operatorPlanAssignments, operatorPlans } from "../../db/schema.ts";
import { raiseVersions } from "../../machine/notify-machines.ts";

type PlanColumns = typeof operatorPlans.$inferSelect;
export type PlanRow = Awaited<ReturnType<typeof selectPlan>>[number];

/** The statement that reads a plan of a company (undefined: any), with its numbers of operators and machines: none or one row. */
export function selectPlan(db: Db, id: string, companyId: number | undefined) {
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
export function updatePlan(db: Db, id: string, values: Partial<PlanColumns>) {
  return db.update(operatorPlans).set(values).where(eq(operatorPlans.id, id));
}

/** The statement that raises the set-up versions of a plan's machines. */
export function raiseVersionsOf(db: Db, id: string) {
  const { machineId, planId } = operatorPlanAssignments;
  const isPlanned = sql`${machines.id} IN (SELECT ${machineId} FROM ${operatorPlanAssignments} WHERE ${planId} = ${id})`;
  return raiseVersions(db, and(isPlanned, isNull(machines.deletedAt)));
}
