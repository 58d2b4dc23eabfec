import { conflict, type Fault } from "../../../core/problem.ts";
import { areOwned, selectOwned } from "../../../resource/queries.ts";
import { type Effects, type RuleContext, type RuleInput, refuse, rule, unknownIds } from "../../../resource/rules.ts";
import { machineTable } from "../../plant/machines/queries.ts";
import { shiftTable } from "../../plant/shifts/queries.ts";
import { operatorTable } from "../queries.ts";
import { statusOf } from "./plan-status.ts";
import { type Assignment, type OperatorPlanRow, replaceAssignments } from "./queries.ts";

/** The tables that the members of an assignment refer to. */
const references = [
  ["operatorId", operatorTable, "an operator"],
  ["machineId", machineTable, "a machine"],
  ["shiftId", shiftTable, "a shift"],
] as const;

export const storePlan = rule(
  (db, { sent, owner }: RuleContext<Partial<OperatorPlanRow>>) =>
    references.map(([member, table]) => selectOwned(db, table, owner, idsOf(sent.assignments, member))),
  (asked: RuleInput<OperatorPlanRow, Partial<OperatorPlanRow>>, ...found) => {
    const { sent, before, next } = asked;
    if (before) refuseFixed(before, next, sent);
    refuse(faultsOf(next, before));
    if (!sent.assignments) return { machines: machinesOf(before) };
    const { assignments } = sent;
    refuse(
      references.flatMap(([member, , noun], i) => {
        const ids = assignments.map((one) => one[member]);
        return unknownIds(ids, found[i] ?? [], (at) => `/assignments/${at}/${member}`, `is not ${noun} of this company`);
      }),
    );
    return effectsOf(asked, assignments);
  },
);

/** The rule of a plan that is deleted or restored. */
export const concernPlanned = rule(
  () => [],
  ({ next }: RuleInput<OperatorPlanRow>) => ({ machines: machinesOf(next) }),
);

/** The effects of new assignments of a plan on the write. */
export function effectsOf(
  { db, before, next }: Pick<RuleInput<OperatorPlanRow>, "db" | "before" | "next">,
  sent: readonly Assignment[],
): Effects<OperatorPlanRow> {
  const assignments = sent.toSorted((a, b) => a.machineId - b.machineId || a.shiftId - b.shiftId || a.operatorId - b.operatorId);
  return {
    values: { assignments },
    expect: references.map(([member, table]) => areOwned(table, next.companyId, idsOf(assignments, member))),
    rows: replaceAssignments(db, next, assignments),
    machines: [...machinesOf(before), ...idsOf(assignments, "machineId")],
  };
}

/** Faults in the dates and assignments of a plan. */
export function faultsOf(next: OperatorPlanRow, before: OperatorPlanRow | null): Fault[] {
  const { since, until, assignments } = next;
  const order: Fault = { pointer: "/until", code: "not_in_order", message: "must be after `since`" };
  const past: Fault = { pointer: "/until", code: "not_after_now", message: "must be in the future" };
  const seen = new Set<string>();
  const repeated = assignments.flatMap(({ operatorId, machineId, shiftId }, i): Fault[] => {
    const key = `${operatorId} ${machineId} ${shiftId}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated ? [{ pointer: `/assignments/${i}`, code: "repeated", message: "is already in the list" }] : [];
  });
  const isPast = before !== null && until !== before.until && until <= Date.now();
  return [...(until <= since ? [order] : []), ...(isPast ? [past] : []), ...repeated];
}

/** Throws 409 if the plan can no longer be changed in this way. */
function refuseFixed(before: OperatorPlanRow, next: OperatorPlanRow, sent: Partial<OperatorPlanRow>): void {
  const status = statusOf(before, Date.now());
  if (status === "past") throw conflict("The plan is past: it can no longer be changed.");
  const fixed = [
    ...(["title", "since"] as const).filter((member) => next[member] !== before[member]),
    ...(sent.assignments ? ["assignments"] : []),
  ];
  if (status === "future" || fixed.length === 0) return;
  const fault = { code: "fixed" as const, message: "cannot be changed while the plan is Active" };
  throw conflict(
    "The plan is Active: only `until` can be changed.",
    fixed.map((member) => ({ pointer: `/${member}`, ...fault })),
  );
}

function machinesOf(plan: OperatorPlanRow | null): number[] {
  return idsOf(plan?.assignments, "machineId");
}

function idsOf(assignments: readonly Assignment[] = [], member: keyof Assignment): number[] {
  return [...new Set(assignments.map((one) => one[member]))];
}
