import { and, desc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { CompanyDb } from "../../db/client.ts";
import { ifBetween, ifGiven, ifListed } from "../../db/conditions.ts";
import { corrections, defectReasons, machines, skus, workOrders } from "../../db/schema.ts";
import type { CorrectionsQuery } from "./query.ts";

export type CorrectionRow = Awaited<ReturnType<typeof selectCorrectionsInOrder>>[number];

const nameIn = (column: string, from: string) => sql<string | null>`${sql.raw(`(SELECT ${from})`)}`.as(column);

/** The correction with the names of what it is about. */
const columns = {
  ...getTableColumns(corrections),
  machineName: nameIn("machine_name", "name FROM machines WHERE id = corrections.machine_id"),
  skuName: nameIn("sku_name", "name FROM skus WHERE company_id = corrections.company_id AND id = corrections.sku_id"),
  workOrderCode: nameIn("work_order_code", "code FROM work_orders WHERE id = corrections.work_order_id"),
  workOrderName: nameIn("work_order_name", "name FROM work_orders WHERE id = corrections.work_order_id"),
  reasonName: nameIn("reason_name", "name FROM defect_reasons WHERE id = corrections.reason_id"),
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
export function findNames(
  db: CompanyDb,
  {
    companyId,
    machineId,
    skuId,
    workOrderId,
    reasonId,
  }: Pick<CorrectionRow, "companyId" | "machineId" | "skuId" | "workOrderId" | "reasonId">,
) {
  return db
    .select({
      machineName: machines.name,
      skuName: sql<
        string | null
      >`(SELECT ${skus.name} FROM ${skus} WHERE ${skus.companyId} = ${companyId} AND ${skus.id} = ${skuId})`.as("sku_name"),
      workOrderCode: sql<string | null>`${ofOrder(workOrders.code, workOrderId)}`.as("work_order_code"),
      workOrderName: sql<string | null>`${ofOrder(workOrders.name, workOrderId)}`.as("work_order_name"),
      reasonName: sql<
        string | null
      >`(SELECT ${defectReasons.name} FROM ${defectReasons} WHERE ${defectReasons.id} = ${reasonId})`.as("reason_name"),
    })
    .from(machines)
    .where(eq(machines.id, machineId))
    .get();
}

const ofOrder = (column: SQLiteColumn, workOrderId: string | null) =>
  sql`(SELECT ${column} FROM ${workOrders} WHERE ${workOrders.id} = ${workOrderId})`;

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
