import { and, type Column, eq, gt, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { machines, operatorPlanAssignments, operatorPlans } from "../../db/schema.ts";
import type { keepAnswer } from "../../http/idempotency.ts";
import type { Audit } from "../../http/old-audit.ts";
import { raiseVersions } from "../../machine/tell-machines.ts";

/** What a plan is to have; what is left out stays. Times are epoch ms. */
export interface PlanChange {
  title?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
}

export type Plan = NonNullable<Awaited<ReturnType<typeof changePlan>>["plan"]>;

/**
 * Changes a plan if its dates allow that as of `now`, and the version of its machines' set-up with it. What it has already is not
 * written. One trip.
 * @param companyId undefined: of any company
 * @param keep gives the statements that keep an answer (an expression) once a condition holds
 * @returns the plan as it is now (undefined: there is none), whether it is as asked, and the machines to tell of a change
 */
export async function changePlan(
  db: Db,
  id: string,
  companyId: number | undefined,
  change: PlanChange,
  keep: (answer: SQL, condition: SQL) => ReturnType<typeof keepAnswer>,
  audit: Audit,
  now: number,
) {
  const isPlan = and(
    eq(operatorPlans.id, id),
    isNull(operatorPlans.deletedAt),
    companyId === undefined ? undefined : eq(operatorPlans.companyId, companyId),
  );
  const members = ["title", "since", "until"] as const;
  const isNews = or(
    ...members.map((member) => (change[member] === undefined ? undefined : ne(operatorPlans[member], change[member]))),
  );
  const isChangeable = and(isPlan, changeable(change, now), isNews);
  const ofPlan = eq(operatorPlanAssignments.planId, id);
  // The last statements cannot ask any more whether it was changeable: they ask whether it is as it was to be.
  const isAsAsked = members.map((member) =>
    change[member] === undefined ? undefined : eq(operatorPlans[member], change[member]),
  );
  const isDone = and(isPlan, or(eq(operatorPlans.updatedAt, now), changeable(change, now)), ...isAsAsked);
  // The audit and the machines go first: once the plan is changed, its dates do not say any more whether they allowed it.
  const [, told, , done, [plan]] = await db.batch([
    audit(
      {
        action: "operator-plan.change",
        companyId: operatorPlans.companyId,
        objectId: id,
        before: planJson({}),
        after: planJson(change),
      },
      sql`FROM ${operatorPlans} WHERE ${isChangeable}`,
    ),
    raiseVersions(
      db,
      sql`${machines.id} IN (SELECT ${operatorPlanAssignments.machineId} FROM ${operatorPlanAssignments} WHERE ${ofPlan})
        AND ${machines.deletedAt} IS NULL AND EXISTS (SELECT 1 FROM ${operatorPlans} WHERE ${isChangeable})`,
    ),
    db
      .update(operatorPlans)
      .set({ ...change, updatedAt: now })
      .where(isChangeable),
    db.select({ id: operatorPlans.id }).from(operatorPlans).where(isDone),
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
    ...keep(
      sql`(SELECT ${answerJson(ofPlan, now)} FROM ${operatorPlans} WHERE ${isDone})`,
      sql`EXISTS (SELECT 1 FROM ${operatorPlans} WHERE ${isDone})`,
    ),
  ]);
  return { plan, isChanged: done.length > 0, machines: told };
}

/** A future plan takes whatever leaves it some time; an Active one an end alone; a past one nothing. */
function changeable({ title, since, until }: PlanChange, now: number) {
  const hasTime = sql`coalesce(${since ?? null}, ${operatorPlans.since}) < coalesce(${until ?? null}, ${operatorPlans.until})`;
  const isFuture = and(gt(operatorPlans.since, now), hasTime);
  if (title !== undefined || since !== undefined) return isFuture;
  return or(isFuture, and(lte(operatorPlans.since, now), gt(operatorPlans.until, now)));
}

/** A plan that may change, as the operation answers it. */
function answerJson(ofPlan: SQL, now: number): SQL {
  const { id, fileId, title, since, until } = operatorPlans;
  return sql`json_object('id', ${id}, 'fileId', ${fileId}, 'title', ${title}, 'since', ${iso(since)}, 'until', ${iso(until)},
    'operatorCount', ${countOf(operatorPlanAssignments.operatorId, ofPlan)},
    'machineCount', ${countOf(operatorPlanAssignments.machineId, ofPlan)}, 'status', iif(${since} > ${now}, 'future', 'Active'))`;
}

/** Epoch ms as ISO 8601 with Z. */
function iso(at: SQL | Column): SQL {
  return sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${at} / 1000.0, 'unixepoch')`;
}

/** What may change of a plan, as JSON, with what is to be changed. */
function planJson({ title, since, until }: PlanChange): SQL {
  return sql`json_object('title', coalesce(${title ?? null}, ${operatorPlans.title}),
    'since', ${iso(sql`coalesce(${since ?? null}, ${operatorPlans.since})`)},
    'until', ${iso(sql`coalesce(${until ?? null}, ${operatorPlans.until})`)})`;
}

function countOf(column: typeof operatorPlanAssignments.operatorId | typeof operatorPlanAssignments.machineId, ofPlan: SQL) {
  return sql<number>`(SELECT count(DISTINCT ${column}) FROM ${operatorPlanAssignments} WHERE ${ofPlan})`;
}
