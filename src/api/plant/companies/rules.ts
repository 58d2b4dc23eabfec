import { refuseNewCompany } from "../../../core/database-size.ts";
import { conflict, type Fault, refusal } from "../../../core/problem.ts";
import type { Jurisdiction } from "../../../db/values.ts";
import { type Effects, type RuleContext, type RuleInput, refuse, rule } from "../../../resource/rules.ts";
import { type CompanyRow, hasNoMachine, rescheduleAll, selectMachineCount, signOutCompany } from "./queries.ts";

export const storeCompany = rule(() => [], effectsOf);

/** The effects of a new or changed company. */
export function effectsOf({ db, before, next }: Pick<RuleInput<CompanyRow>, "db" | "before" | "next">): Effects<CompanyRow> {
  if (!before) refuseNewCompany(db);
  refuse(jurisdictionFaults(next, before, db.jurisdiction));
  const isOtherZone = before?.timezone !== next.timezone;
  const hasProductionDays = [before, next].some((row) => row && (row.hasProductionDays || row.productionDay !== "calendarDay"));
  const isLockOther = isOtherZone || before.lockAfterDays !== next.lockAfterDays;
  const nextLockAt = next.lockAfterDays === null ? null : Date.now();
  const values = { hasProductionDays, ...(isLockOther && { nextLockAt }) };
  const { signOutAtShiftEnd, productionDay } = next;
  const isForMachines = isOtherZone || before.signOutAtShiftEnd !== signOutAtShiftEnd || before.productionDay !== productionDay;
  if (!before || !isForMachines) return { values };
  return { machines: "all", values, ...(isOtherZone && { rows: [rescheduleAll(db, next.id, Date.now())] }) };
}

/** A company has the jurisdiction of its database for ever: its objects are named by it. */
function jurisdictionFaults({ jurisdiction }: CompanyRow, before: CompanyRow | null, ofDatabase: Jurisdiction | null): Fault[] {
  const pointer = "/jurisdiction";
  if (before) {
    const message = `is fixed: ${before.jurisdiction ?? "null"} for ever`;
    return jurisdiction === before.jurisdiction ? [] : [{ pointer, code: "fixed", message }];
  }
  const message = `must be ${ofDatabase ?? "null"}, which is that of the service's database. Local services have none`;
  return jurisdiction === ofDatabase ? [] : [{ pointer, code: "not_supported", message }];
}

export const removeCompany = rule(
  (db, { owner }: RuleContext<object>) => [selectMachineCount(db, owner)],
  ({ db, actor, next }: RuleInput<CompanyRow>, [machines]) => {
    if (next.id === actor.companyId) throw conflict("You cannot delete your own company.");
    if (machines && machines.count > 0) {
      const message = `the company has ${machines.count} machines: delete them first`;
      throw refusal(409, [{ pointer: "", code: "in_use", message }]);
    }
    return { expect: [hasNoMachine(next.id)], rows: signOutCompany(db, next.id, next.updatedAt) };
  },
);
