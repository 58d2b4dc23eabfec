import { and, eq, gt, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { machines, operatorPlanAssignments, operatorPlans } from "../../db/schema.ts";

/** What a plan is to have; what is left out stays. Times are epoch ms. */
export interface PlanChange {
  title?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
}

export type Plan = NonNullable<Awaited<ReturnType<typeof changePlan>>["plan"]>;

/**
 * Changes a plan if its dates allow that as of `now`, and the version of its machines' set-up with it. One trip.
 * @param companyId undefined: of any company
 * @returns the plan as it is now (undefined: there is none), whether it was changed, and the machines to tell of it
 */
export async function changePlan(db: Db, id: string, companyId: number | undefined, change: PlanChange, now: number) {
  const isPlan = and(
    eq(operatorPlans.id, id),
    isNull(operatorPlans.deletedAt),
    companyId === undefined ? undefined : eq(operatorPlans.companyId, companyId),
  );
  const isChangeable = and(isPlan, changeable(change, now));
  const ofPlan = eq(operatorPlanAssignments.planId, id);
  // The machines go first: once the plan is changed, its dates do not say any more whether they allowed it.
  const [told, changed, [plan]] = await db.batch([
    db
      .update(machines)
      .set({ configVersion: sql`${machines.configVersion} + 1` })
      .where(
        sql`${machines.id} IN (SELECT ${operatorPlanAssignments.machineId} FROM ${operatorPlanAssignments} WHERE ${ofPlan})
          AND ${machines.deletedAt} IS NULL AND EXISTS (SELECT 1 FROM ${operatorPlans} WHERE ${isChangeable})`,
      )
      .returning({ machineId: machines.id, configVersion: machines.configVersion }),
    db
      .update(operatorPlans)
      .set({ ...change, updatedAt: now })
      .where(isChangeable)
      .returning({ id: operatorPlans.id }),
    db
      .select({
        id: operatorPlans.id,
        fileId: operatorPlans.fileId,
        title: operatorPlans.title,
        since: operatorPlans.since,
        until: operatorPlans.until,
        operatorCount: countOf(operatorPlanAssignments.operatorId, ofPlan).as("operator_count"),
        machineCount: countOf(operatorPlanAssignments.machineId, ofPlan).as("machine_count"),
      })
      .from(operatorPlans)
      .where(isPlan),
  ]);
  return { plan, isChanged: changed.length > 0, machines: told };
}

/** A future plan takes whatever leaves it some time; an Active one an end alone; a past one nothing. */
function changeable({ title, since, until }: PlanChange, now: number) {
  const hasTime = sql`coalesce(${since ?? null}, ${operatorPlans.since}) < coalesce(${until ?? null}, ${operatorPlans.until})`;
  const isFuture = and(gt(operatorPlans.since, now), hasTime);
  if (title !== undefined || since !== undefined) return isFuture;
  return or(isFuture, and(lte(operatorPlans.since, now), gt(operatorPlans.until, now)));
}

function countOf(column: typeof operatorPlanAssignments.operatorId | typeof operatorPlanAssignments.machineId, ofPlan: SQL) {
  return sql<number>`(SELECT count(DISTINCT ${column}) FROM ${operatorPlanAssignments} WHERE ${ofPlan})`;
}
