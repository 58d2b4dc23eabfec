import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { instant, nameText, text } from "../../../core/inputs.ts";
import { isoOf } from "../../../oee/time.ts";
import { companyIdMember, type Resource, setUpAccess, stampMembers, stampsOf } from "../../../resource/resource.ts";
import { statusOf } from "./plan-status.ts";
import { type OperatorPlanRow, operatorPlanTable } from "./queries.ts";
import { concernPlanned, storePlan } from "./rules.ts";

const id = z.int().min(1);
const assignment = z.object({ operatorId: id, machineId: id, shiftId: id });
const members = {
  title: nameText(200).openapi({ example: "Week 47" }),
  since: instant,
  until: instant.openapi({ description: "The plan's end, exclusive" }),
  assignments: z.array(assignment).max(5000).openapi({ description: "Who is planned on which machine in which shift" }),
};
const shown = {
  fileId: answerText.nullable().openapi({ description: "SHA-256 of the CSV file it was created from, hex; null if it was not" }),
  title: members.title,
  since: z.iso.datetime(),
  until: z.iso.datetime().openapi({ description: "The plan's end, exclusive" }),
  status: z.enum(["future", "Active", "past"]),
  operatorCount: z.int().openapi({ description: "Number of distinct operators" }),
  machineCount: z.int().openapi({ description: "Number of distinct machines" }),
  assignments: members.assignments,
};

export const operatorPlan = z
  .object({ id: answerText, companyId: companyIdMember, ...shown, ...stampMembers })
  .openapi("OperatorPlanWithAssignments");
export type OperatorPlan = z.infer<typeof operatorPlan>;

export const operatorPlans: Resource<OperatorPlanRow> = {
  names: { type: "OperatorPlan", types: "OperatorPlans", noun: "operator plan", nouns: "operator plans" },
  path: "/v1/operator-plans",
  description: `Says which operator is credited for a machine and shift while nobody is signed in. A future plan can be changed freely; an
Active one only in its end, which must be in the future; a past one not at all (409).`,
  access: setUpAccess,
  table: operatorPlanTable,
  members: {
    id: text(100),
    item: operatorPlan,
    create: z.object({ ...members, assignments: members.assignments.default([]) }),
    change: z.object(members).partial(),
    example: {
      title: "Week 47",
      since: "2026-11-16T00:00:00+01:00",
      until: "2026-11-23T00:00:00+01:00",
      assignments: [{ operatorId: 1, machineId: 1, shiftId: 1 }],
    },
  },
  shape: {
    item(row) {
      const { id, companyId, fileId = null, title, assignments } = row;
      const dates = { since: isoOf(row.since), until: isoOf(row.until), status: statusOf(row, Date.now()) };
      const operatorCount = new Set(assignments.map(({ operatorId }) => operatorId)).size;
      const machineCount = new Set(assignments.map(({ machineId }) => machineId)).size;
      return { id, companyId, fileId, title, ...dates, operatorCount, machineCount, assignments, ...stampsOf(row) };
    },
  },
  rules: { store: storePlan, remove: concernPlanned, restore: concernPlanned },
};
