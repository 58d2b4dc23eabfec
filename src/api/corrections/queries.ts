import { and, desc, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import type { CompanyDb } from "../../db/client.ts";
import { ifBetween, ifGiven, ifListed } from "../../db/conditions.ts";
import { corrections, defectReasons, machines } from "../../db/schema.ts";
import type { CorrectionsQuery } from "./query.ts";

export type CorrectionRow = Awaited<ReturnType<typeof selectCorrectionsInOrder>>[number];

/** What a correction is about: values, or columns of a row. */
type Subjects = Record<"companyId" | "machineId" | "skuId" | "workOrderId" | "reasonId", SQL | number | string | null>;

/** The names of what a correction is about. */
function namesOf({ companyId, machineId, skuId, workOrderId, reasonId }: Subjects) {
  const nameAs = (alias: string, select: SQL) => sql<string | null>`(SELECT ${select})`.as(alias);
  return {
    machineName: nameAs("machine_name", sql`name FROM machines WHERE id = ${machineId}`),
    skuName: nameAs("sku_name", sql`name FROM skus WHERE company_id = ${companyId} AND id = ${skuId}`),
    workOrderCode: nameAs("work_order_code", sql`code FROM work_orders WHERE id = ${workOrderId}`),
    workOrderName: nameAs("work_order_name", sql`name FROM work_orders WHERE id = ${workOrderId}`),
    reasonName: nameAs("reason_name", sql`name FROM defect_reasons WHERE id = ${reasonId}`),
  };
}

/** The correction with the names of what it is about. */
const columns = {
  ...getTableColumns(corrections),
  ...namesOf({
    companyId: sql.raw("corrections.company_id"),
    machineId: sql.raw("corrections.machine_id"),
    skuId: sql.raw("corrections.sku_id"),
    workOrderId: sql.raw("corrections.work_order_id"),
    reasonId: sql.raw("corrections.reason_id"),
  }),
};

/** The statement that reads the corrections that match a query, newest first, one more than its limit. */
export function selectCorrectionsInOrder(
  db: CompanyDb,
  { companyId, machineIds, reasonIds, from, to, includeUndone, cursor, limit }: CorrectionsQuery,
) {
  return db
    .select(columns)
    .from(corrections)
    .where(
      and(
        ifGiven(corrections.companyId, companyId),
        ifListed(corrections.machineId, machineIds),
        ifListed(corrections.reasonId, reasonIds),
        ifBetween(corrections.at, from, to),
        includeUndone ? undefined : isNull(corrections.undoneAt),
        cursor && sql`(${corrections.at}, ${corrections.id}) < (${cursor[0]}, ${cursor[1]})`,
      ),
    )
    .orderBy(desc(corrections.at), desc(corrections.id))
    .limit(limit + 1);
}

/** A correction of a company (undefined: of any); undefined if there is none. */
export function findCorrection(db: CompanyDb, id: number, companyId: number | undefined) {
  return db
    .select(columns)
    .from(corrections)
    .where(and(eq(corrections.id, id), ifGiven(corrections.companyId, companyId)))
    .get();
}

/** The names of what a correction is about that D1 does not have yet. */
export function findNames(db: CompanyDb, correction: Subjects & { machineId: number }) {
  return db.select(namesOf(correction)).from(machines).where(eq(machines.id, correction.machineId)).get();
}

/** Reads what a correction is about: its machine (of a company; undefined: of any), and its reason. One trip. */
export async function findSubjects(
  db: CompanyDb,
  { machineId, reasonId }: { machineId: number; reasonId: number | null },
  companyId: number | undefined,
) {
  const { id, name, configVersion, deletedAt } = machines;
  const [[machine], [reason]] = await db.batch([
    db
      .select({ id, companyId: machines.companyId, name, configVersion, deletedAt })
      .from(machines)
      .where(and(eq(id, machineId), ifGiven(machines.companyId, companyId))),
    db
      .select({ id: defectReasons.id, companyId: defectReasons.companyId, name: defectReasons.name })
      .from(defectReasons)
      .where(and(eq(defectReasons.id, reasonId ?? 0), isNull(defectReasons.deletedAt))),
  ]);
  return { machine, reason: machine && reason?.companyId === machine.companyId ? reason : undefined };
}
