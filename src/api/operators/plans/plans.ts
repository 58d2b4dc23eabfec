import { companyOf } from "../../../core/actor.ts";
import type { Caller } from "../../../core/caller.ts";
import { conflict, invalid, notFound } from "../../../core/problem.ts";
import { write } from "../../../core/write.ts";
import { nextUpdatedAt } from "../../../db/expect.ts";
import { configureAfterwards } from "../../../objects/notify-machines.ts";
import { isoOf } from "../../../oee/time.ts";
import { statusOf } from "./plan-status.ts";
import { isSamePlan, type PlanRow, raiseVersionsOf, selectPlan, updatePlan } from "./queries.ts";

/** A change of a plan; omitted members do not change. Times are epoch ms. */
export interface PlanChange {
  title?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
}

/** Changes a plan as far as its status allows, and notifies its machines. Returns the changed plan. */
export async function changePlan(caller: Caller, id: string, change: PlanChange) {
  const now = Date.now();
  refuseEmpty(change, now);
  const companyId = companyOf(caller.actor);
  const { answer, results } = await write(
    caller,
    (db) => [selectPlan(db, id, companyId)],
    ([plan]) => {
      if (!plan) throw notFound(`There is no operator plan ${id}.`);
      const { title = plan.title, since = plan.since, until = plan.until } = change;
      const next = { ...plan, title, since, until };
      refuseFixed(plan, change, now);
      refuseTimeless(next, change);
      const isSame = title === plan.title && since === plan.since && until === plan.until;
      if (isSame) return { answer: planOf(plan, now) };
      return {
        expect: [isSamePlan(plan)],
        rows: [
          raiseVersionsOf(caller.db, id),
          updatePlan(caller.db, id, { title, since, until, updatedAt: nextUpdatedAt(plan) }),
        ],
        audit: {
          action: "operator-plan.change",
          companyId: plan.companyId,
          objectId: id,
          before: changeable(plan),
          after: changeable(next),
        },
        answer: planOf(next, now),
      };
    },
  );
  // The sweep notifies machines that are unreachable now.
  configureAfterwards(caller, results);
  return answer;
}

function planOf(plan: PlanRow, now: number) {
  const { id, fileId, title, since, until, operatorCount, machineCount } = plan;
  const dates = { since: isoOf(since), until: isoOf(until), status: statusOf(plan, now) };
  return { id, fileId, title, ...dates, operatorCount, machineCount };
}

/** The members of a plan that can change, as the audit records them. */
function changeable({ title, since, until }: PlanRow) {
  return { title, since: isoOf(since), until: isoOf(until) };
}

/** Throws 400 for a change that is not valid for any plan. */
function refuseEmpty({ title, since, until }: PlanChange, now: number): void {
  if (title === undefined && since === undefined && until === undefined) {
    const message = "is required (title or since will do while the plan is future)";
    throw invalid([{ pointer: "/until", code: "required", message }]);
  }
  if (until !== undefined && until <= now) {
    throw invalid([{ pointer: "/until", code: "not_after_now", message: "must be in the future" }]);
  }
}

/** Throws 409 for a change of members that are fixed by the plan's status. */
function refuseFixed(plan: PlanRow, change: PlanChange, now: number): void {
  const status = statusOf(plan, now);
  if (status === "past") throw conflict("The plan is past: it can no longer be changed.");
  const named = (["title", "since"] as const).filter((member) => change[member] !== undefined);
  if (status === "future" || named.length === 0) return;
  const fault = { code: "fixed" as const, message: "cannot be changed while the plan is Active" };
  throw conflict(
    "The plan is Active: only `until` can be changed.",
    named.map((member) => ({ pointer: `/${member}`, ...fault })),
  );
}

/** Throws 400 for a plan whose end would not be after its start. */
function refuseTimeless({ since, until }: PlanRow, change: PlanChange): void {
  if (since < until) return;
  const pointer = change.until === undefined ? "/since" : "/until";
  throw invalid([{ pointer, code: "not_in_order", message: "must be after `since`" }]);
}
