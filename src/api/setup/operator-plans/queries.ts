import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { machines, operatorPlanAssignments, operatorPlans, operators, shifts } from "../../../db/schema.ts";
import { machineTable } from "../machines/queries.ts";
import { operatorTable } from "../operators/queries.ts";
import { areThere, type SetUpTable } from "../queries.ts";
import { shiftTable } from "../shifts/queries.ts";
import type { CsvLine } from "./csv.ts";

/** Who is planned where. */
export interface Assignment {
  operatorId: number;
  machineId: number;
  shiftId: number;
}

export type OperatorPlanRow = typeof operatorPlans.$inferSelect & { assignments: Assignment[] };

const { id, companyId, updatedAt, deletedAt } = operatorPlans;
const { planId, machineId, shiftId, operatorId } = operatorPlanAssignments;

export const operatorPlanTable: SetUpTable<OperatorPlanRow> = {
  ...{ table: operatorPlans, id, companyId, updatedAt, deletedAt },
  columns: getTableColumns(operatorPlans),
  newId: () => crypto.randomUUID(),
  extras: () => ({
    assignments: sql`(SELECT json_group_array(json_object('operatorId', ${operatorId}, 'machineId', ${machineId}, 'shiftId', ${shiftId})
      ORDER BY ${machineId}, ${shiftId}, ${operatorId}) FROM ${operatorPlanAssignments} WHERE ${planId} = ${id})`,
  }),
  checks(next, before) {
    if (next.assignments === before?.assignments) return [];
    const tables = { operatorId: operatorTable, machineId: machineTable, shiftId: shiftTable };
    return (["operatorId", "machineId", "shiftId"] as const).map((member) => {
      const ids = next.assignments.map((assignment) => assignment[member]);
      return areThere(tables[member], next.companyId, ids, (i) => `/assignments/${i}/${member}`);
    });
  },
  attach(db, next, before) {
    if (next.assignments === before?.assignments) return [];
    return [
      db.delete(operatorPlanAssignments).where(eq(planId, next.id)),
      db
        .insert(operatorPlanAssignments)
        .select(sql`SELECT ${next.id}, value->>'machineId', value->>'shiftId', value->>'operatorId'
        FROM json_each(${JSON.stringify(next.assignments)})`),
    ];
  },
  machines: (before, next) => [...(before?.assignments ?? []), ...(next?.assignments ?? [])].map((one) => one.machineId),
};

export type Planned = Awaited<ReturnType<typeof findPlanned>>;

/** Ids of the company's operators by code and machines by ref, as far as the lines' first two fields name them; all its shifts. One trip. */
export async function findPlanned(db: Db, ofCompany: number, lines: readonly CsvLine[]) {
  const isNamed = (column: typeof operators.code | typeof machines.ref, field: number) =>
    sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(lines.map(({ fields }) => fields[field]))}))`;
  const [operatorRows, machineRows, shiftRows] = await db.batch([
    db
      .select({ id: operators.id, code: operators.code })
      .from(operators)
      .where(and(eq(operators.companyId, ofCompany), isNull(operators.deletedAt), isNamed(operators.code, 0))),
    db
      .select({ id: machines.id, ref: machines.ref })
      .from(machines)
      .where(and(eq(machines.companyId, ofCompany), isNull(machines.deletedAt), isNamed(machines.ref, 1))),
    db
      .select({ id: shifts.id, name: shifts.name, machineIds: shifts.machineIds })
      .from(shifts)
      .where(and(eq(shifts.companyId, ofCompany), isNull(shifts.deletedAt))),
  ]);
  return {
    operators: new Map(operatorRows.map(({ id, code }) => [code, id])),
    machines: new Map(machineRows.map(({ id, ref }) => [ref, id])),
    shifts: shiftRows,
  };
}
