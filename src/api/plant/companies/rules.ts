import { refuseNewCompany } from "../../../core/database-size.ts";
import { conflict, refusal } from "../../../core/problem.ts";
import { type RuleContext, type RuleInput, rule } from "../../../resource/rules.ts";
import { type CompanyRow, hasNoMachine, rescheduleAll, selectMachineCount, signOutCompany } from "./queries.ts";

export const storeCompany = rule(
  () => [],
  ({ db, before, next }: RuleInput<CompanyRow>) => {
    if (!before) refuseNewCompany(db);
    const isOtherZone = before?.timezone !== next.timezone;
    if (!before || (!isOtherZone && before.signOutAtShiftEnd === next.signOutAtShiftEnd)) return {};
    return { machines: "all", ...(isOtherZone && { rows: [rescheduleAll(db, next.id, Date.now())] }) };
  },
);

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
