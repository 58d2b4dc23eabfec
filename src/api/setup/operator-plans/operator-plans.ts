import { z } from "@hono/zod-openapi";
import { instant, text } from "../../../core/inputs.ts";
import { conflict, type Fault } from "../../../core/problem.ts";
import { isoOf } from "../../../oee/time.ts";
import { statusOf } from "../../operator-plans/plan-status.ts";
import { setUpAccess } from "../access.ts";
import { companyIdMember, type Resource, stampMembers, stampsOf } from "../resource.ts";
import { type OperatorPlanRow, operatorPlanTable } from "./queries.ts";

const id = z.int().min(1);
const assignment = z.object({ operatorId: id, machineId: id, shiftId: id });
const members = {
  title: text(200).min(1).openapi({ example: "Week 47" }),
  since: instant,
  until: instant.openapi({ description: "The plan's end, exclusive" }),
  assignments: z.array(assignment).max(5000).openapi({ description: "Who is planned on which machine in which shift" }),
};
const shown = {
  fileId: z.string().nullable().openapi({ description: "SHA-256 of the CSV file that it was made from, hex; null: of none" }),
  title: members.title,
  since: z.iso.datetime(),
  until: z.iso.datetime().openapi({ description: "The plan's end, exclusive" }),
  status: z.enum(["future", "Active", "past"]),
  operatorCount: z.int().openapi({ description: "Different operators" }),
  machineCount: z.int().openapi({ description: "Different machines" }),
  assignments: members.assignments,
};

/** A plan as the set-up answers it. */
export const operatorPlan = z
  .object({ id: z.string(), companyId: companyIdMember, ...shown, ...stampMembers })
  .openapi("OperatorPlanWithAssignments");

export const operatorPlans: Resource<OperatorPlanRow> = {
  name: "OperatorPlan",
  names: "OperatorPlans",
  noun: "operator plan",
  nouns: "operator plans",
  path: "/v1/operator-plans",
  description: `Who is credited where nobody signed in. A future plan takes any change, an Active one an end after now alone, a past one
none (409).`,
  access: setUpAccess,
  table: operatorPlanTable,
  example: {
    title: "Week 47",
    since: "2026-11-16T00:00:00+01:00",
    until: "2026-11-23T00:00:00+01:00",
    assignments: [{ operatorId: 1, machineId: 1, shiftId: 1 }],
  },
  id: text(100),
  item: operatorPlan,
  create: z.object({ ...members, assignments: members.assignments.default([]) }),
  change: z.object(members).partial(),
  toItem(row) {
    const { id, companyId, fileId = null, title, assignments } = row;
    const dates = { since: isoOf(row.since), until: isoOf(row.until), status: statusOf(row, Date.now()) };
    const operatorCount = new Set(assignments.map(({ operatorId }) => operatorId)).size;
    const machineCount = new Set(assignments.map(({ machineId }) => machineId)).size;
    return { id, companyId, fileId, title, ...dates, operatorCount, machineCount, assignments, ...stampsOf(row) };
  },
  faults,
  refuse({ before, next }) {
    const status = before && next ? statusOf(before, Date.now()) : "future";
    if (status === "past") throw conflict("The plan is past: it does not change any more.");
    const fixed = (["title", "since", "assignments"] as const).filter((member) => next?.[member] !== before?.[member]);
    if (status === "future" || fixed.length === 0) return;
    const fault = { code: "fixed", message: "may not change while the plan is Active" };
    throw conflict(
      "The plan is Active: `until` alone may change.",
      fixed.map((member) => ({ pointer: `/${member}`, ...fault })),
    );
  },
};

function faults(next: OperatorPlanRow, before: OperatorPlanRow | null): Fault[] {
  const { since, until, assignments } = next;
  const order = { pointer: "/until", code: "not_in_order", message: "must be after `since`" };
  const past = { pointer: "/until", code: "not_after_now", message: "must be after now" };
  const seen = new Set<string>();
  const repeated = assignments.flatMap(({ operatorId, machineId, shiftId }, i) => {
    const key = `${operatorId} ${machineId} ${shiftId}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated ? { pointer: `/assignments/${i}`, code: "repeated", message: "is in the list already" } : [];
  });
  const isPast = before !== null && until !== before.until && until <= Date.now();
  return [...(until <= since ? [order] : []), ...(isPast ? [past] : []), ...repeated];
}
