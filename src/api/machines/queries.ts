import { aliasedTable, and, asc, count, desc, eq, gt, gte, isNull, lt, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { CompanyDb } from "../../db/client.ts";
import { ifGiven, inList } from "../../db/conditions.ts";
import {
  helpCalls,
  lines,
  machines,
  operatorShifts,
  operators,
  shiftParts,
  shiftRecords,
  shifts,
  skus,
  stopCauses,
  stops,
  users,
  workOrders,
} from "../../db/schema.ts";
import { overlaps } from "../../db/spread.ts";
import { type ReportRange, searchedTime } from "../../oee/report-buckets.ts";
import { MAX_SHIFT_MS } from "../../oee/shifts.ts";
import type { Interval } from "../../oee/time.ts";
import { selectStops } from "../stops/queries.ts";

/** The service, shifts and stops of a machine in a window. Null if the company (undefined: any) has no such machine. One trip. */
export async function findTimeline(db: CompanyDb, machineId: number, companyId: number | undefined, { start, end }: Interval) {
  const isOwn = ifGiven(machines.companyId, companyId);
  // The index is by start. A slice that extends into the window started at most one shift earlier.
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

/** The parameters of a page of the roster of machines. */
export interface RosterPage {
  machineIds: readonly number[];
  /** Undefined: any company. */
  companyId: number | undefined;
  now: number;
  direction: "asc" | "desc";
  limit: number;
  offset: number;
}

/** A page of the operators of machines in their current shift, as of the last flush, and their total number. One trip. */
export async function findRoster(db: CompanyDb, { machineIds, companyId, now, direction, limit, offset }: RosterPage) {
  const isCurrent = and(
    inList(operatorShifts.machineId, machineIds),
    // No shift is longer: without this, all of a machine's history would be searched.
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
        isRecalculating: sql<number>`ifnull(${machines.recalculatingFrom} < ${operatorShifts.shiftEnd}
          AND ${machines.recalculatingTo} >= ${operatorShifts.shiftStart}, 0)`.as("is_recalculating"),
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
export function findSkuNames(db: CompanyDb, wanted: readonly { companyId: number; skuId: string | null }[]) {
  const keys = JSON.stringify(wanted.map(({ companyId, skuId }) => [companyId, skuId]));
  return db
    .select({ companyId: skus.companyId, skuId: skus.id, skuName: skus.name })
    .from(skus)
    .where(sql`(${skus.companyId}, ${skus.id}) IN (SELECT value->>0, value->>1 FROM json_each(${keys}))`);
}

/** The company of a machine; undefined if the machine does not exist or is deleted. One trip. */
export async function findOwner(db: CompanyDb, machineId: number): Promise<number | undefined> {
  const machine = await db
    .select({ companyId: machines.companyId })
    .from(machines)
    .where(and(eq(machines.id, machineId), isNull(machines.deletedAt)))
    .get();
  return machine?.companyId;
}

/** A shift of a machine, by its start or by the id of its record. */
export type NamedShift = { machineId: number; start: number } | { recordId: number };

/** The machine (of a company; undefined: of any), the record and the stops of a shift. One trip. */
export async function findShiftContext(db: CompanyDb, shift: NamedShift, companyId: number | undefined) {
  const ofRecord = (column: SQL) =>
    "recordId" in shift ? sql`(SELECT ${column} FROM shift_records WHERE id = ${shift.recordId})` : undefined;
  const machineId = ofRecord(sql.raw("machine_id")) ?? sql`${"machineId" in shift ? shift.machineId : 0}`;
  const shiftStart = ofRecord(sql.raw("start_at")) ?? sql`${"start" in shift ? shift.start : 0}`;
  const [[machine], [record], slices] = await db.batch([
    db
      .select({ id: machines.id, name: machines.name })
      .from(machines)
      .where(and(eq(machines.id, machineId), isOf(companyId), isNull(machines.deletedAt))),
    db
      .select({
        id: shiftRecords.id,
        startAt: shiftRecords.startAt,
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
        // Implied by the condition above, but uses the index's column.
        gte(stops.sliceStart, shiftStart),
        lt(stops.sliceStart, sql`${shiftStart} + ${MAX_SHIFT_MS}`),
        isNull(stops.deletedAt),
      ),
    ),
  ]);
  return { machine, record, stops: slices };
}

/** The name of a shift; deleted ones too. One trip. */
export async function findShiftName(db: CompanyDb, shiftId: number): Promise<string | undefined> {
  return (await db.select({ name: shifts.name }).from(shifts).where(eq(shifts.id, shiftId)).get())?.name;
}

/**
 * The names of a shift, a SKU (null: none) and operators of the company of a machine. One trip.
 * @returns null if the company has no such machine
 */
export async function findNames(
  db: CompanyDb,
  { machineId, companyId }: { machineId: number; companyId: number },
  wanted: { shiftId: number | undefined; skuId: string | null; operators: readonly { operatorId: number }[] },
) {
  const operatorIds = wanted.operators.map(({ operatorId }) => operatorId);
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
    db.select({ id: operators.id, name: operators.name }).from(operators).where(inList(operators.id, operatorIds)),
  ]);
  if (!machine) return null;
  return {
    shift: shift?.name ?? null,
    sku: sku?.name ?? null,
    operators: new Map(people.map(({ id, name }) => [id, name])),
  };
}

/**
 * The statements that read machines of a company with their lines, and their shifts and stops that may count in a range, unordered.
 * @param limit the maximum number of stops
 */
export function selectTimelines(db: CompanyDb, selection: MachineSelection, range: ReportRange, limit: number) {
  const { start, end } = searchedTime(range);
  const { companyId } = selection;
  const earliest = start - MAX_SHIFT_MS;
  const isOne = sql`IN (SELECT ${machines.id} FROM ${machines} WHERE ${isSelected(selection)})`;
  // The rows of selected machines are read by the index by machine, those of a whole company by the index by company.
  const own = (companyOf: SQLWrapper, machineOf: SQLWrapper) =>
    selection.machineIds
      ? sql`+${companyOf} = ${companyId} AND ${machineOf} ${isOne}`
      : sql`${companyOf} = ${companyId} AND +${machineOf} ${isOne}`;
  return [
    db
      .select({
        id: machines.id,
        name: machines.name,
        commissionedAt: machines.commissionedAt,
        decommissionedAt: machines.decommissionedAt,
        lineId: machines.lineId,
        lineName: sql<string | null>`${lines.name}`.as("line_name"),
        lineOrder: sql<number | null>`${lines.order}`.as("line_order"),
      })
      .from(machines)
      .leftJoin(lines, eq(lines.id, machines.lineId))
      .where(isSelected(selection)),
    db
      .select({
        machineId: shiftRecords.machineId,
        shiftId: shiftRecords.shiftId,
        shiftName: sql<string>`${shifts.name}`.as("shift_name"),
        start: shiftRecords.startAt,
        end: shiftRecords.endAt,
        day: shiftRecords.day,
        noDataSpans: shiftRecords.noDataSpans,
      })
      .from(shiftRecords)
      .innerJoin(shifts, eq(shifts.id, shiftRecords.shiftId))
      .where(
        and(
          own(shiftRecords.companyId, shiftRecords.machineId),
          gt(shiftRecords.startAt, earliest),
          lt(shiftRecords.startAt, end),
          overlaps(range, { start: shiftRecords.startAt, until: shiftRecords.endAt, day: shiftRecords.day }),
        ),
      ),
    selectStops(db)
      .where(
        and(
          own(stops.companyId, stops.machineId),
          gt(stops.sliceStart, earliest),
          lt(stops.sliceStart, end),
          overlaps(range, {
            start: stops.sliceStart,
            until: sql`coalesce(${stops.sliceEnd}, ${stops.shiftEnd})`,
            day: stops.day,
          }),
          isNull(stops.deletedAt),
        ),
      )
      .limit(limit),
  ] as const;
}

function isOf(companyId: number | undefined) {
  return ifGiven(machines.companyId, companyId);
}

/** A selection of a company's machines. */
export interface MachineSelection {
  companyId: number;
  machineIds: readonly number[] | undefined;
  lineIds: readonly number[] | undefined;
}

const part = aliasedTable(shiftParts, "part");
const stop = aliasedTable(stops, "stop");
const generalCauses = aliasedTable(stopCauses, "general_causes");
const specificCauses = aliasedTable(stopCauses, "specific_causes");
const components = aliasedTable(stopCauses, "components");

/**
 * The machines of a company with their lines, and the names of what each was doing at its last flush, which is nearly always what it does now.
 * @param limit the maximum number of machines
 */
export function selectMachinesWithNames(db: CompanyDb, selection: MachineSelection, limit: number) {
  const newestPart = sql`(SELECT max(start_at) FROM ${shiftParts} WHERE machine_id = ${machines.id})`;
  const newestStop = sql`(SELECT id, shift_start FROM ${stops} WHERE machine_id = ${machines.id} ORDER BY slice_start DESC, id DESC LIMIT 1)`;
  return db
    .select({
      id: machines.id,
      name: machines.name,
      ref: machines.ref,
      lineId: machines.lineId,
      lineName: sql<string | null>`${lines.name}`.as("line_name"),
      lineOrder: sql<number | null>`${lines.order}`.as("line_order"),
      shiftId: part.shiftId,
      shiftName: sql<string | null>`${shifts.name}`.as("shift_name"),
      skuId: part.skuId,
      skuName: sql<string | null>`${skus.name}`.as("sku_name"),
      workOrderId: sql<string | null>`${workOrders.id}`.as("work_order_id"),
      workOrderCode: sql<string | null>`${workOrders.code}`.as("work_order_code"),
      workOrderName: sql<string | null>`${workOrders.name}`.as("work_order_name"),
      generalCauseId: stop.generalCauseId,
      generalCauseName: sql<string | null>`${generalCauses.name}`.as("general_cause_name"),
      specificCauseId: stop.specificCauseId,
      specificCauseName: sql<string | null>`${specificCauses.name}`.as("specific_cause_name"),
      componentId: stop.componentId,
      componentName: sql<string | null>`${components.name}`.as("component_name"),
      helpCallId: sql<number | null>`${helpCalls.id}`.as("help_call_id"),
      helpCalledAt: sql<number | null>`${helpCalls.createdAt}`.as("help_called_at"),
      helpMessage: helpCalls.message,
      helpCalledBy: helpCalls.calledBy,
      helpCalledByName: sql<string | null>`coalesce(${helpCalls.calledByName}, ${users.name})`.as("help_called_by_name"),
    })
    .from(machines)
    .leftJoin(lines, eq(lines.id, machines.lineId))
    .leftJoin(helpCalls, and(eq(helpCalls.machineId, machines.id), isNull(helpCalls.answeredAt)))
    .leftJoin(users, eq(users.id, helpCalls.calledBy))
    .leftJoin(part, and(eq(part.machineId, machines.id), sql`${part.startAt} = ${newestPart}`))
    .leftJoin(shifts, eq(shifts.id, part.shiftId))
    .leftJoin(skus, and(eq(skus.companyId, machines.companyId), eq(skus.id, part.skuId)))
    .leftJoin(workOrders, eq(workOrders.number, part.workOrderNumber))
    .leftJoin(stop, sql`(stop.id, stop.shift_start) = ${newestStop}`)
    .leftJoin(generalCauses, eq(generalCauses.id, stop.generalCauseId))
    .leftJoin(specificCauses, eq(specificCauses.id, stop.specificCauseId))
    .leftJoin(components, eq(components.id, stop.componentId))
    .where(isSelected(selection))
    .limit(limit);
}

export type MachineRow = Awaited<ReturnType<typeof selectMachinesWithNames>>[number];
export type OperatorRow = Awaited<ReturnType<typeof selectNewestOperators>>[number];

/** The operators of the newest shift of each of these machines, as of the last flush. */
export function selectNewestOperators(db: CompanyDb, selection: MachineSelection) {
  const newestShift = sql`(SELECT shift_start FROM ${operatorShifts} WHERE machine_id = ${machines.id} ORDER BY shift_start DESC LIMIT 1)`;
  return db
    .select({ operatorId: operatorShifts.operatorId, operatorName: sql<string>`${operators.name}`.as("operator_name") })
    .from(machines)
    .innerJoin(operatorShifts, and(eq(operatorShifts.machineId, machines.id), sql`${operatorShifts.shiftStart} = ${newestShift}`))
    .innerJoin(operators, eq(operators.id, operatorShifts.operatorId))
    .where(isSelected(selection));
}

/** The statement that reads lines of a company, in their order. */
export function selectLinesInOrder(db: CompanyDb, companyId: number, limit: number) {
  return db
    .select({ id: lines.id, name: lines.name })
    .from(lines)
    .where(and(eq(lines.companyId, companyId), isNull(lines.deletedAt)))
    .orderBy(asc(lines.order), asc(lines.name), asc(lines.id))
    .limit(limit);
}

function isSelected({ companyId, machineIds, lineIds }: MachineSelection) {
  const isOne = machineIds && inList(machines.id, machineIds);
  return and(
    isOne ? sql`+${eq(machines.companyId, companyId)}` : eq(machines.companyId, companyId),
    isOne,
    lineIds && sql`+${inList(machines.lineId, lineIds)}`,
    isNull(machines.deletedAt),
  );
}

/** The ids whose names are needed, by kind. */
export interface WantedNames {
  shiftIds: number[];
  skuIds: string[];
  workOrderIds: string[];
  operatorIds: number[];
  causeIds: number[];
}

/** The names of a company's shifts, SKUs, orders, operators and causes. One trip. */
export async function findNamesOf(db: CompanyDb, companyId: number, wanted: WantedNames) {
  const [shiftRows, skuRows, orderRows, operatorRows, causeRows] = await db.batch([
    db.select({ id: shifts.id, name: shifts.name }).from(shifts).where(inList(shifts.id, wanted.shiftIds)),
    db
      .select({ id: skus.id, name: skus.name })
      .from(skus)
      .where(and(eq(skus.companyId, companyId), inList(skus.id, wanted.skuIds))),
    db
      .select({ id: workOrders.id, code: workOrders.code, name: workOrders.name })
      .from(workOrders)
      .where(inList(workOrders.id, wanted.workOrderIds)),
    db.select({ id: operators.id, name: operators.name }).from(operators).where(inList(operators.id, wanted.operatorIds)),
    db.select({ id: stopCauses.id, name: stopCauses.name }).from(stopCauses).where(inList(stopCauses.id, wanted.causeIds)),
  ]);
  return { shiftRows, skuRows, orderRows, operatorRows, causeRows };
}

/** What an operator of a company signs in with; undefined: there is no such operator. */
export async function findOperatorSecrets(db: CompanyDb, companyId: number, operatorId: number) {
  return await db
    .select({ name: operators.name, code: operators.code, pinHash: operators.pinHash })
    .from(operators)
    .where(and(eq(operators.id, operatorId), eq(operators.companyId, companyId), isNull(operators.deletedAt)))
    .get();
}
