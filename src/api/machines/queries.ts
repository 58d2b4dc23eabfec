import { and, asc, count, desc, eq, gt, isNull, lt, lte, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { machines, operators, roster, shiftRecords, shifts, skus, stops } from "../../db/schema.ts";
import { MAX_SHIFT_MS } from "../../oee/shifts.ts";
import type { Interval } from "../../oee/time.ts";

/** A machine's service, shifts and stops over a window: one trip. Null when the company (undefined: any) has no such machine. */
export async function findTimeline(db: Db, machineId: number, companyId: number | undefined, { start, end }: Interval) {
  const isOwn = companyId === undefined ? undefined : eq(machines.companyId, companyId);
  // The index finds what starts in the window; what reaches into it started a shift earlier at most.
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

interface RosterPage {
  machineIds: readonly number[];
  /** Undefined: of any company. */
  companyId: number | undefined;
  now: number;
  direction: "asc" | "desc";
  limit: number;
  offset: number;
}

/** The operators of machines in their current shift, as of the last flush: a page, and how many there are. One trip. */
export async function findRoster(db: Db, { machineIds, companyId, now, direction, limit, offset }: RosterPage) {
  const isCurrent = and(
    sql`${roster.machineId} IN (SELECT value FROM json_each(${JSON.stringify(machineIds)}))`,
    lte(roster.shiftStart, now),
    gt(roster.shiftEnd, now),
    companyId === undefined ? undefined : eq(machines.companyId, companyId),
    isNull(machines.deletedAt),
  );
  // The joins of one batch: no two selected columns may have the same name.
  const [[counted], rows] = await db.batch([
    db.select({ totalItems: count() }).from(roster).innerJoin(machines, eq(machines.id, roster.machineId)).where(isCurrent),
    db
      .select({
        machineId: roster.machineId,
        operatorId: roster.operatorId,
        shiftStart: roster.shiftStart,
        uptimeMs: roster.uptimeMs,
        downtimeMs: roster.downtimeMs,
        units: roster.units,
        skuId: roster.skuId,
        companyId: machines.companyId,
        machineName: sql<string>`${machines.name}`.as("machine_name"),
        shiftName: sql<string>`${shifts.name}`.as("shift_name"),
        operatorName: sql<string>`${operators.name}`.as("operator_name"),
        skuName: sql<string | null>`${skus.name}`.as("sku_name"),
      })
      .from(roster)
      .innerJoin(machines, eq(machines.id, roster.machineId))
      .innerJoin(shifts, eq(shifts.id, roster.shiftId))
      .innerJoin(operators, eq(operators.id, roster.operatorId))
      .leftJoin(skus, and(eq(skus.companyId, machines.companyId), eq(skus.id, roster.skuId)))
      .where(isCurrent)
      .orderBy((direction === "asc" ? asc : desc)(machines.name), asc(machines.id), asc(operators.name), asc(operators.id))
      .limit(limit)
      .offset(offset),
  ]);
  return { totalItems: counted?.totalItems ?? 0, rows };
}

/** The names of SKUs, each by its company and id; those that do not exist are left out. */
export function findSkuNames(db: Db, wanted: readonly { companyId: number; skuId: string | null }[]) {
  const keys = JSON.stringify(wanted.map(({ companyId, skuId }) => [companyId, skuId]));
  return db
    .select({ companyId: skus.companyId, skuId: skus.id, skuName: skus.name })
    .from(skus)
    .where(sql`(${skus.companyId}, ${skus.id}) IN (SELECT value->>0, value->>1 FROM json_each(${keys}))`);
}
