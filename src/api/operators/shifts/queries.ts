import { and, asc, desc, eq, gt, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { ifBetween, ifGiven, ifListed } from "../../../db/conditions.ts";
import { machines, operatorShifts, operators, shiftRecords, shifts, skus } from "../../../db/schema.ts";
import { startsInRange } from "../../../db/spread.ts";
import type { ReportRange } from "../../../oee/report-buckets.ts";
import type { OperatorShiftsQuery, RecordOperatorsQuery } from "./query.ts";

export type OperatorShiftRow = Awaited<ReturnType<typeof selectShiftsOf>>[number];

/** The statement that reads numbers of operators in shifts of machines, with all names; the caller adds conditions and an order. */
function selectShares(db: CompanyDb) {
  return db
    .select({
      operatorId: operatorShifts.operatorId,
      operatorName: sql<string>`${operators.name}`.as("operator_name"),
      machineId: operatorShifts.machineId,
      machineName: sql<string>`${machines.name}`.as("machine_name"),
      shiftId: operatorShifts.shiftId,
      shiftName: sql<string>`${shifts.name}`.as("shift_name"),
      shiftStart: operatorShifts.shiftStart,
      shiftEnd: operatorShifts.shiftEnd,
      recordId: sql<number | null>`${shiftRecords.id}`.as("record_id"),
      uptimeMs: operatorShifts.uptimeMs,
      downtimeMs: operatorShifts.downtimeMs,
      units: operatorShifts.units,
      skuId: operatorShifts.skuId,
      skuName: sql<string | null>`${skus.name}`.as("sku_name"),
    })
    .from(operatorShifts)
    .innerJoin(operators, eq(operators.id, operatorShifts.operatorId))
    .innerJoin(machines, eq(machines.id, operatorShifts.machineId))
    .innerJoin(shifts, eq(shifts.id, operatorShifts.shiftId))
    .leftJoin(
      shiftRecords,
      and(eq(shiftRecords.machineId, operatorShifts.machineId), eq(shiftRecords.startAt, operatorShifts.shiftStart)),
    )
    .leftJoin(skus, and(eq(skus.companyId, operatorShifts.companyId), eq(skus.id, operatorShifts.skuId)))
    .$dynamic();
}

/**
 * The shifts of an operator of a company (undefined: any), newest first, one more than the limit.
 * @param range that of a company with production days; null: `from` and `to` are only instants
 */
export function selectShiftsOf(
  db: CompanyDb,
  operatorId: number,
  companyId: number | undefined,
  range: ReportRange | null,
  query: OperatorShiftsQuery,
) {
  const { from, to, machineIds, cursor, limit } = query;
  const { shiftStart, machineId } = operatorShifts;
  return selectShares(db)
    .where(
      and(
        eq(operatorShifts.operatorId, operatorId),
        ifGiven(operators.companyId, companyId),
        ifListed(machineId, machineIds),
        range ? startsInRange(range, shiftStart, operatorShifts.day) : ifBetween(shiftStart, from, to),
        cursor && sql`(${shiftStart}, ${machineId}) < (${cursor[0]}, ${cursor[1]})`,
      ),
    )
    .orderBy(desc(shiftStart), desc(machineId))
    .limit(limit + 1);
}

/** The operators in the shift of a record of a company (undefined: any), by id, one more than the limit. */
export function selectOperatorsOf(
  db: CompanyDb,
  recordId: number,
  companyId: number | undefined,
  { cursor, limit }: RecordOperatorsQuery,
) {
  return selectShares(db)
    .where(
      and(
        eq(shiftRecords.id, recordId),
        ifGiven(shiftRecords.companyId, companyId),
        cursor && gt(operatorShifts.operatorId, cursor[0]),
      ),
    )
    .orderBy(asc(operatorShifts.operatorId))
    .limit(limit + 1);
}

/** The company of an operator, deleted or not, of a company (undefined: any); undefined: there is no such operator. One trip. */
export async function findCompanyOf(db: CompanyDb, id: number, companyId: number | undefined): Promise<number | undefined> {
  const isOne = and(eq(operators.id, id), ifGiven(operators.companyId, companyId));
  return (await db.select({ companyId: operators.companyId }).from(operators).where(isOne).get())?.companyId;
}

/** True if a company (undefined: any) has a shift record. One trip. */
export async function hasRecord(db: CompanyDb, id: number, companyId: number | undefined): Promise<boolean> {
  const isOne = and(eq(shiftRecords.id, id), ifGiven(shiftRecords.companyId, companyId));
  return (await db.select({ id: shiftRecords.id }).from(shiftRecords).where(isOne)).length > 0;
}
