import { and, asc, count, desc, eq, gt, gte, isNull, lt, lte, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { ifGiven, inList } from "../../db/conditions.ts";
import { machines, operatorShifts, operators, shiftRecords, shifts, skus, stops } from "../../db/schema.ts";
import { MAX_SHIFT_MS } from "../../oee/shifts.ts";
import type { Interval } from "../../oee/time.ts";
import { selectStops } from "../stops/queries.ts";

/** The service, shifts and stops of a machine in a window. Null if the company (undefined: any) has no such machine. One trip. */
export async function findTimeline(db: Db, machineId: number, companyId: number | undefined, { start, end }: Interval) {
  const isOwn = ifGiven(machines.companyId, companyId);
  // The index is by start. A slice that reaches into the window started at most one shift earlier.
  const earliest = start - MAX_SHIFT_MS;
  const sliceEnd = sql<number>`coalesce(${stops.sliceEnd}, ${stops.shiftEnd})`.as("slice_until");
  const [[machine], shifts, slices] = await db.batch([
    db
      .select({ commissionedAt: machines.commissionedAt, decommissionedAt: machines.decommissionedAt })
      .from(machines)
      .where(and(eq(machines.id, machineId), isOwn, isNull(machines.deletedAt))),
    db
      .select({ start: shiftRecords.startAt, end: shiftRecords.endAt, noDataSpans: shiftRecords.noDataSpans })
      .from(shiftRecords)
      .where(
        and(
          eq(shiftRecords.machineId, machineId),
          gt(shiftRecords.startAt, earliest),
          lt(shiftRecords.startAt, end),
          gt(shiftRecords.endAt, start),
        ),
      )
      .orderBy(shiftRecords.startAt),
    db
      .select({
        start: stops.sliceStart,
        end: sliceEnd,
        shiftStart: stops.shiftStart,
        isProgrammed: stops.isProgrammed,
        isIncludedInAvailability: stops.isIncludedInAvailability,
      })
      .from(stops)
      .where(
        and(eq(stops.machineId, machineId), gt(stops.sliceStart, earliest), lt(stops.sliceStart, end), isNull(stops.deletedAt)),
      )
      .orderBy(stops.sliceStart),
  ]);
  if (!machine) return null;
  const service = { start: machine.commissionedAt, end: machine.decommissionedAt ?? Number.POSITIVE_INFINITY };
  return { service, shifts, stops: slices };
}

/** A page of the roster of machines. */
export interface RosterPage {
  machineIds: readonly number[];
  /** Undefined: any company. */
  companyId: number | undefined;
  now: number;
  direction: "asc" | "desc";
  limit: number;
  offset: number;
}

/** A page of the operators of machines in their current shift, as of the last flush, and how many there are. One trip. */
export async function findRoster(db: Db, { machineIds, companyId, now, direction, limit, offset }: RosterPage) {
  const isCurrent = and(
    inList(operatorShifts.machineId, machineIds),
    // No shift is longer: without this, all of a machine's history would be looked through.
    gt(operatorShifts.shiftStart, now - MAX_SHIFT_MS),
    lte(operatorShifts.shiftStart, now),
    gt(operatorShifts.shiftEnd, now),
    ifGiven(machines.companyId, companyId),
    isNull(machines.deletedAt),
  );
  // Selected columns of a batch must have different names.
  const [[counted], rows] = await db.batch([
    db
      .select({ totalItems: count() })
      .from(operatorShifts)
      .innerJoin(machines, eq(machines.id, operatorShifts.machineId))
      .where(isCurrent),
    db
      .select({
        machineId: operatorShifts.machineId,
        operatorId: operatorShifts.operatorId,
        shiftStart: operatorShifts.shiftStart,
        uptimeMs: operatorShifts.uptimeMs,
        downtimeMs: operatorShifts.downtimeMs,
        units: operatorShifts.units,
        skuId: operatorShifts.skuId,
        companyId: machines.companyId,
        machineName: sql<string>`${machines.name}`.as("machine_name"),
        shiftName: sql<string>`${shifts.name}`.as("shift_name"),
        operatorName: sql<string>`${operators.name}`.as("operator_name"),
        skuName: sql<string | null>`${skus.name}`.as("sku_name"),
      })
      .from(operatorShifts)
      .innerJoin(machines, eq(machines.id, operatorShifts.machineId))
      .innerJoin(shifts, eq(shifts.id, operatorShifts.shiftId))
      .innerJoin(operators, eq(operators.id, operatorShifts.operatorId))
      .leftJoin(skus, and(eq(skus.companyId, machines.companyId), eq(skus.id, operatorShifts.skuId)))
      .where(isCurrent)
      .orderBy((direction === "asc" ? asc : desc)(machines.name), asc(machines.id), asc(operators.name), asc(operators.id))
      .limit(limit)
      .offset(offset),
  ]);
  return { totalItems: counted?.totalItems ?? 0, rows };
}

/** The names of SKUs, by company and id. */
export function findSkuNames(db: Db, wanted: readonly { companyId: number; skuId: string | null }[]) {
  const keys = JSON.stringify(wanted.map(({ companyId, skuId }) => [companyId, skuId]));
  return db
    .select({ companyId: skus.companyId, skuId: skus.id, skuName: skus.name })
    .from(skus)
    .where(sql`(${skus.companyId}, ${skus.id}) IN (SELECT value->>0, value->>1 FROM json_each(${keys}))`);
}

/** The company of a machine; undefined if there is no such machine, or it is deleted. One trip. */
export async function findOwner(db: Db, machineId: number): Promise<number | undefined> {
  const machine = await db
    .select({ companyId: machines.companyId })
    .from(machines)
    .where(and(eq(machines.id, machineId), isNull(machines.deletedAt)))
    .get();
  return machine?.companyId;
}

/** The machine (of a company; undefined: any), the record and the stops of the shift that starts at an instant. One trip. */
export async function findShiftScene(db: Db, machineId: number, companyId: number | undefined, shiftStart: number) {
  const [[machine], [record], slices] = await db.batch([
    db
      .select({ name: machines.name })
      .from(machines)
      .where(and(eq(machines.id, machineId), isOf(companyId), isNull(machines.deletedAt))),
    db
      .select({
        id: shiftRecords.id,
        shiftId: shiftRecords.shiftId,
        shiftName: sql<string | null>`${shifts.name}`.as("shift_name"),
      })
      .from(shiftRecords)
      .leftJoin(shifts, eq(shifts.id, shiftRecords.shiftId))
      .where(and(eq(shiftRecords.machineId, machineId), eq(shiftRecords.startAt, shiftStart))),
    selectStops(db).where(
      and(
        eq(stops.machineId, machineId),
        eq(stops.shiftStart, shiftStart),
        // Follows from the condition before, but lets the index be used.
        gte(stops.sliceStart, shiftStart),
        lt(stops.sliceStart, shiftStart + MAX_SHIFT_MS),
        isNull(stops.deletedAt),
      ),
    ),
  ]);
  return { machine, record, stops: slices };
}

/** The name of a shift; deleted ones too. One trip. */
export async function findShiftName(db: Db, shiftId: number): Promise<string | undefined> {
  return (await db.select({ name: shifts.name }).from(shifts).where(eq(shifts.id, shiftId)).get())?.name;
}

/**
 * The names of a shift, a SKU (null: none) and operators of the company of a machine. One trip.
 * @returns null if the company has no such machine
 */
export async function findNames(
  db: Db,
  { machineId, companyId }: { machineId: number; companyId: number },
  wanted: { shiftId: number | undefined; skuId: string | null; operators: readonly { operatorId: number }[] },
) {
  const operatorIds = JSON.stringify(wanted.operators.map(({ operatorId }) => operatorId));
  const [[machine], [shift], [sku], people] = await db.batch([
    db
      .select({ id: machines.id })
      .from(machines)
      .where(and(eq(machines.id, machineId), isOf(companyId), isNull(machines.deletedAt))),
    db
      .select({ name: shifts.name })
      .from(shifts)
      .where(eq(shifts.id, wanted.shiftId ?? 0)),
    db
      .select({ name: skus.name })
      .from(skus)
      .where(and(eq(skus.companyId, companyId), eq(skus.id, wanted.skuId ?? ""))),
    db
      .select({ id: operators.id, name: operators.name })
      .from(operators)
      .where(sql`${operators.id} IN (SELECT value FROM json_each(${operatorIds}))`),
  ]);
  if (!machine) return null;
  return {
    shift: shift?.name ?? null,
    sku: sku?.name ?? null,
    operators: new Map(people.map(({ id, name }) => [id, name])),
  };
}

function isOf(companyId: number | undefined) {
  return ifGiven(machines.companyId, companyId);
}
