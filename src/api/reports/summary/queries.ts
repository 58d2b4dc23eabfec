import { and, eq, isNotNull, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { inForce, isNotOfOpen, isOfClosed, type Side, sidesOf, tableOf } from "../../../db/as-of.ts";
import type { CompanyDb } from "../../../db/client.ts";
import { byIndex, ifListed, ifOfLinesByMachine, ifOfOrders, ifWorked, lineOfRow } from "../../../db/conditions.ts";
import { corrections, hoursOutsideShifts, operatorShifts, shiftParts, shiftRecords, stops } from "../../../db/schema.ts";
import {
  bucketOfRow,
  bucketsOf,
  countsAsStop,
  inBuckets,
  isDayIn,
  overlapOf,
  spread,
  startsIn,
  stopUntil,
} from "../../../db/spread.ts";
import { type ReportBuckets, searchedTime } from "../../../oee/report-buckets.ts";
import { MAX_SHIFT_MS } from "../../../oee/shifts.ts";
import { noSums, type Sums } from "../../../oee/sums.ts";
import type { Group, GroupBy } from "./groups.ts";

/** The filter on the shift parts of a report, apart from its range; undefined members: all of the company. */
export interface PartFilter {
  companyId: number;
  machineIds?: readonly number[] | undefined;
  lineIds?: readonly number[] | undefined;
  shiftIds?: readonly number[] | undefined;
  skuIds?: readonly string[] | undefined;
  workOrderIds?: readonly string[] | undefined;
  operatorIds?: readonly number[] | undefined;
}

export interface SumsQuery extends PartFilter {
  /** Groups other than time groups, which are in `buckets`. */
  groupBy: GroupBy;
  /** A single bucket if there is no time group. */
  buckets: ReportBuckets;
  now: number;
  /** The maximum number of rows to return. */
  limit: number;
  /** Which rows to read of what was reported at an earlier instant; undefined: the present ones. */
  side?: Side | undefined;
}

/** The ids and names of a row's groups; null if the query does not group by them, or the row has none. */
export type Keys = { [K in keyof typeof named]: (typeof named)[K] extends SQL.Aliased<infer V> ? V : never };
/** Sums with their group: a bucket, by its index in the query's list, and keys. */
export interface SummedGroup {
  i: number;
  keys: Keys;
  sums: Sums;
}
export type OpenPart = Awaited<ReturnType<typeof selectOpenParts>>[number];
export type CauseRow = Awaited<ReturnType<typeof selectCauseSums>>[number];
export type OutsideRow = Awaited<ReturnType<typeof selectOutsideSums>>[number];
export type ReasonRow = Awaited<ReturnType<typeof selectReasonSums>>[number];
export type OperatorRow = Awaited<ReturnType<typeof selectOperatorSums>>[number];

type Key =
  | "machine_id"
  | "line_id"
  | "shift_id"
  | "sku_id"
  | "work_order_number"
  | "operator_id"
  | "general_cause_id"
  | "specific_cause_id"
  | "reason_id";

/** The key columns of each group. */
const keysOf: Partial<Record<Group, readonly Key[]>> = {
  machine: ["machine_id"],
  line: ["line_id"],
  shift: ["shift_id"],
  sku: ["sku_id"],
  order: ["work_order_number"],
  operator: ["operator_id"],
  cause: ["general_cause_id", "specific_cause_id"],
  defectReason: ["reason_id"],
};
const allKeys = Object.values(keysOf).flat();

/** The look-up of a key's name by id in the table `from`; `skuName` also needs the row's company. */
const nameOf = (name: string, from: string, id: Key) =>
  sql<string | null>`${sql.raw(`(SELECT name FROM ${from} WHERE id = sums.${id})`)}`.as(name);
const ofOrder = (name: string, column: string) =>
  sql<string | null>`${sql.raw(`(SELECT ${column} FROM work_orders WHERE number = sums.work_order_number)`)}`.as(name);
const idOf = <T extends number | string>(id: Key) => sql<T | null>`${sql.raw(`sums.${id}`)}`.as(id);
const named = {
  machineId: idOf<number>("machine_id"),
  machineName: nameOf("machine_name", "machines", "machine_id"),
  lineId: idOf<number>("line_id"),
  lineName: nameOf("line_name", "lines", "line_id"),
  shiftId: idOf<number>("shift_id"),
  shiftName: nameOf("shift_name", "shifts", "shift_id"),
  skuId: idOf<string>("sku_id"),
  skuName: sql<string | null>`(SELECT name FROM skus WHERE company_id = sums.company_id AND id = sums.sku_id)`.as("sku_name"),
  workOrderId: ofOrder("work_order_id", "id"),
  workOrderCode: ofOrder("work_order_code", "code"),
  workOrderName: ofOrder("work_order_name", "name"),
  operatorId: idOf<number>("operator_id"),
  operatorName: nameOf("operator_name", "operators", "operator_id"),
  generalCauseId: idOf<number>("general_cause_id"),
  generalCauseName: nameOf("general_cause_name", "stop_causes", "general_cause_id"),
  specificCauseId: idOf<number>("specific_cause_id"),
  specificCauseName: nameOf("specific_cause_name", "stop_causes", "specific_cause_id"),
  reasonId: idOf<number>("reason_id"),
  reasonName: nameOf("reason_name", "defect_reasons", "reason_id"),
};

/** The keys of a row without groups. */
export const noKeys = Object.fromEntries(Object.keys(named).map((name) => [name, null])) as unknown as Keys;

/** The columns of a source of rows, by the key that they are grouped by. */
type Source = Partial<Record<Key, SQLWrapper>>;

function wantedKeys(groupBy: GroupBy): Key[] {
  return groupBy.flatMap((group) => keysOf[group] ?? []);
}

/** The company and all keys of a row, null for keys that the query does not group by. */
function keysIn(source: Source, { groupBy, companyId }: SumsQuery): SQL {
  const wanted = wantedKeys(groupBy);
  const columns = allKeys.map((key) => sql`${wanted.includes(key) ? source[key] : sql`NULL`} AS ${sql.raw(key)}`);
  return sql.join([sql`${companyId} AS company_id`, ...columns], sql`, `);
}

/** The line of a row; null: none. */
function lineKey(table: Parameters<typeof lineOfRow>[0]): SQL {
  return sql`nullif(${lineOfRow(table)}, 0)`;
}

/** The clause that groups by bucket and keys, and limits the number of groups. */
function grouped(source: Source, { groupBy, limit }: SumsQuery): SQL {
  const keys = wantedKeys(groupBy).flatMap((key) => source[key] ?? []);
  return sql`GROUP BY ${sql.join([sql.raw("1"), ...keys], sql`, `)} LIMIT ${limit}`;
}

const ofParts: Source = {
  machine_id: shiftParts.machineId,
  line_id: lineKey(shiftParts),
  shift_id: shiftParts.shiftId,
  sku_id: shiftParts.skuId,
  work_order_number: shiftParts.workOrderNumber,
};

const partSums: Record<keyof Sums, SQLWrapper> = {
  availableMs: shiftParts.availableMs,
  noDataMs: shiftParts.noDataMs,
  programmedMs: shiftParts.programmedMs,
  nonProgrammedMs: shiftParts.nonProgrammedMs,
  otherMs: shiftParts.otherMs,
  annotatedMs: shiftParts.annotatedMs,
  cycles: shiftParts.cycles,
  totalUnits: shiftParts.totalUnits,
  defectUnits: shiftParts.defectUnits,
  unitsWithoutTime: shiftParts.unitsWithoutTime,
  idealMs: shiftParts.idealMs,
  lostByDefectsMs: shiftParts.lostByDefectsMs,
  // Without a standard there is no target.
  targetUnits: sql`((${shiftParts.availableMs} + ${shiftParts.nonProgrammedMs}) / ${shiftParts.unitStandardMs})`,
};
const sumNames = Object.keys(partSums) as (keyof Sums)[];

/**
 * The statement that sums parts of shifts by bucket and groups. A part counts in the bucket of its production day or in which it starts. Each row is a JSON text,
 * because for thousands of rows with thirty columns Drizzle would take longer than everything else.
 */
export function selectPartSums(db: CompanyDb, query: SumsQuery) {
  const columns = Object.entries(partSums).map(([name, column]) => sql`total(${column}) AS ${sql.raw(name)}`);
  const sums = sql`(WITH ${bucketsOf(query.buckets)}
    SELECT ${bucketOfRow(query.buckets, shiftParts.day)} AS i, ${keysIn(ofParts, query)}, ${sql.join(columns, sql`, `)}
    FROM ${inBuckets(query.buckets, tableOf(shiftParts, query.side), shiftParts.startAt, shiftParts.day, and(selectedParts(query), ofSide(shiftParts, query)))}
    ${grouped(ofParts, query)}) AS sums`;
  const keys = wantedNames(query);
  const cells = [sql.raw("sums.i"), ...keys.map((name) => named[name].sql), ...sumNames.map((name) => sql.raw(`sums.${name}`))];
  const read = (json: string) => groupIn(JSON.parse(json), keys);
  return db.select({ group: sql`json_array(${sql.join(cells, sql`, `)})`.mapWith(read).as("group_json") }).from(sums);
}

/** Condition: a row is of the query's side, and its shift was closed for good. */
function ofSide(
  table: typeof shiftParts | typeof stops | typeof operatorShifts,
  { side, companyId, machineIds, buckets }: SumsQuery,
) {
  if (!side) return undefined;
  // There are few former rows.
  if (side.isFormer) return and(inForce(table, side), isOfClosed(table, side.asOf));
  const { start: from, end: to } = searchedTime(buckets.range);
  return and(inForce(table, side), isNotOfOpen(table, side.asOf, { companyId, machineIds, from, to }));
}

/** Parses the cells of a row: the bucket, the requested keys, the sums. */
function groupIn([i, ...cells]: [number, ...never[]], wanted: readonly (keyof Keys)[]): SummedGroup {
  const keys = { ...noKeys };
  for (const [n, name] of wanted.entries()) keys[name] = cells[n] as never;
  const sums = { ...noSums };
  for (const [n, name] of sumNames.entries()) sums[name] = cells[wanted.length + n] as never;
  return { i, keys, sums };
}

/** The ids and names of the query's groups. No others, because each name is looked up for each row. */
function wantedNames({ groupBy }: SumsQuery): (keyof Keys)[] {
  const wanted = wantedKeys(groupBy).map((key) => key.replace(/_(id|number)$/, ""));
  const names = Object.keys(named) as (keyof Keys)[];
  return names.filter((name) => wanted.some((key) => named[name].fieldAlias.startsWith(`${key}_`)));
}

/** The columns of all ids and names; null for those that are not among the query's groups. */
function namesOf(query: SumsQuery) {
  const wanted = wantedNames(query);
  const nothing = (column: string) => sql<null>`NULL`.as(column);
  const columns = Object.entries(named).map(([name, column]) => {
    return [name, wanted.includes(name as keyof Keys) ? column : nothing(column.fieldAlias)];
  });
  return Object.fromEntries(columns) as typeof named;
}

/** The statement that reads the last parts of running shifts, which have continued since they were written. */
export function selectOpenParts(db: CompanyDb, query: SumsQuery) {
  const open = sql`(SELECT ${keysIn(ofParts, query)}, ${shiftParts.startAt} AS start_at, ${shiftParts.endAt} AS end_at,
      ${shiftParts.shiftEnd} AS shift_end, ${shiftParts.day} AS day, ${shiftParts.asOf} AS as_of, ${shiftParts.openBucket} AS open_bucket,
      ${shiftParts.openIsAnnotated} AS is_annotated, ${shiftParts.unitStandardMs} AS unit_standard_ms
    FROM ${openParts} WHERE ${selectedOpenParts(query)}) AS sums`;
  return db
    .select({
      ...namesOf(query),
      startAt: sql<number>`sums.start_at`.as("start_at"),
      endAt: sql<number>`sums.end_at`.as("end_at"),
      shiftEnd: sql<number>`sums.shift_end`.as("shift_end"),
      day: sql<number | null>`sums.day`.as("day"),
      asOf: sql<number>`sums.as_of`.as("as_of"),
      openBucket: sql<NonNullable<typeof shiftParts.$inferSelect.openBucket>>`sums.open_bucket`.as("open_bucket"),
      openIsAnnotated: sql<number>`sums.is_annotated`.as("is_annotated"),
      unitStandardMs: sql<number | null>`sums.unit_standard_ms`.as("unit_standard_ms"),
    })
    .from(open);
}

/** Condition: a part belongs to the company and matches the filter. If machines are named, they are found by their own index. */
export function selectedParts(filter: PartFilter & Pick<SumsQuery, "side">): SQL | undefined {
  const isOwn = eq(shiftParts.companyId, filter.companyId);
  return and(filter.machineIds || filter.lineIds ? sql`+${isOwn}` : isOwn, matches(filter));
}

/** The parts of `selectedOpenParts`, by their own index. */
export const openParts = byIndex(shiftParts, "shift_parts_open");

/** Condition: a part is the last one of a running shift of the company, and matches the filter. These parts have their own index. */
export function selectedOpenParts(filter: PartFilter): SQL | undefined {
  return and(isNotNull(shiftParts.openBucket), eq(shiftParts.companyId, filter.companyId), matches(filter));
}

function matches({ machineIds, lineIds, side, ...filter }: PartFilter & Pick<SumsQuery, "side">): SQL | undefined {
  return and(
    ifListed(shiftParts.machineId, machineIds),
    ifOfLinesByMachine(shiftParts, lineIds),
    ifListed(shiftParts.shiftId, filter.shiftIds),
    ifListed(shiftParts.skuId, filter.skuIds),
    ifOfOrders(shiftParts.workOrderNumber, filter.workOrderIds),
    ifWorked(shiftParts, filter.operatorIds, side?.asOf),
  );
}

const ofOperators: Source = {
  machine_id: operatorShifts.machineId,
  line_id: lineKey(operatorShifts),
  shift_id: operatorShifts.shiftId,
  operator_id: operatorShifts.operatorId,
};

/**
 * What the machine made in an operator's shift, per unit: of a row of `operatorShifts`, as it is now or was then. Null: it made nothing.
 * Cycles and defects are kept per shift, not per operator.
 */
function perUnit(made: SQLWrapper, side: Side | undefined): SQL {
  const { machineId, startAt, totalUnits } = shiftRecords;
  const isSame = and(eq(machineId, operatorShifts.machineId), eq(startAt, operatorShifts.shiftStart));
  const of = (one: Side | undefined) =>
    sql`SELECT ${made} * 1.0 / ${totalUnits} FROM ${tableOf(shiftRecords, one)} WHERE ${and(isSame, sql`${totalUnits} > 0`, inForce(shiftRecords, one))}`;
  if (!side) return sql`(${of(undefined)})`;
  const [present, former] = sidesOf(side.asOf);
  return sql`coalesce((${of(present)}), (${of(former)}))`;
}

/** The statement that sums the numbers of operators by bucket and groups. A shift counts in the bucket of its production day or in which it starts. */
export function selectOperatorSums(db: CompanyDb, query: SumsQuery) {
  const { companyId, machineIds, lineIds, shiftIds, operatorIds, buckets } = query;
  const selected = and(
    eq(operatorShifts.companyId, companyId),
    ifListed(operatorShifts.machineId, machineIds),
    ifOfLinesByMachine(operatorShifts, lineIds),
    ifListed(operatorShifts.shiftId, shiftIds),
    ifListed(operatorShifts.operatorId, operatorIds),
    ofSide(operatorShifts, query),
  );
  const sums = sql`(WITH ${bucketsOf(buckets)}
    SELECT ${bucketOfRow(buckets, operatorShifts.day)} AS i, ${keysIn(ofOperators, query)}, total(${operatorShifts.uptimeMs}) AS uptime_ms,
      total(${operatorShifts.downtimeMs}) AS downtime_ms, total(${operatorShifts.units}) AS units,
      total(${operatorShifts.units} * ${perUnit(shiftRecords.idealMs, query.side)}) AS ideal_ms,
      total(${operatorShifts.units} * ${perUnit(shiftRecords.defectUnits, query.side)}) AS defect_units
    FROM ${inBuckets(buckets, tableOf(operatorShifts, query.side), operatorShifts.shiftStart, operatorShifts.day, selected)}
    ${grouped(ofOperators, query)}) AS sums`;
  return db
    .select({
      i: sql<number>`sums.i`.as("i"),
      ...namesOf(query),
      uptimeMs: sql<number>`sums.uptime_ms`.as("uptime_ms"),
      downtimeMs: sql<number>`sums.downtime_ms`.as("downtime_ms"),
      units: sql<number>`sums.units`.as("units"),
      idealMs: sql<number>`sums.ideal_ms`.as("ideal_ms"),
      defectUnits: sql<number>`sums.defect_units`.as("defect_units"),
    })
    .from(sums);
}

const ofCorrections: Source = {
  machine_id: corrections.machineId,
  line_id: lineKey(corrections),
  shift_id: corrections.shiftId,
  sku_id: corrections.skuId,
  work_order_number: sql`(SELECT number FROM work_orders WHERE id = ${corrections.workOrderId})`,
  reason_id: corrections.reasonId,
};

/** The statement that sums the defects of corrections by bucket and groups. One counts in the bucket of its production day or of its instant. */
export function selectReasonSums(db: CompanyDb, query: SumsQuery) {
  const { companyId, machineIds, lineIds, shiftIds, skuIds, workOrderIds, operatorIds, buckets } = query;
  const isOwn = eq(corrections.companyId, companyId);
  const selected = and(
    machineIds || lineIds ? sql`+${isOwn}` : isOwn,
    isNull(corrections.undoneAt),
    sql`${corrections.appliedDefects} <> 0`,
    ifListed(corrections.machineId, machineIds),
    ifOfLinesByMachine(corrections, lineIds),
    ifListed(corrections.shiftId, shiftIds),
    ifListed(corrections.skuId, skuIds),
    ifListed(corrections.workOrderId, workOrderIds),
    ifWorked(corrections, operatorIds),
  );
  const sums = sql`(WITH ${bucketsOf(buckets)}
    SELECT ${bucketOfRow(buckets, corrections.day)} AS i, ${keysIn(ofCorrections, query)}, total(${corrections.appliedDefects}) AS defects
    FROM ${inBuckets(buckets, corrections, corrections.at, corrections.day, selected)}
    ${grouped(ofCorrections, query)}) AS sums`;
  return db
    .select({ i: sql<number>`sums.i`.as("i"), ...namesOf(query), defects: sql<number>`sums.defects`.as("defects") })
    .from(sums);
}

const ofHoursOutside: Source = { machine_id: hoursOutsideShifts.machineId, line_id: lineKey(hoursOutsideShifts) };

/** Whether what is outside shifts can be in a query: it is kept by machine and hour, and belongs to no shift, SKU, order or operator. */
export function includesOutside({ shiftIds, skuIds, workOrderIds, operatorIds }: PartFilter): boolean {
  return [shiftIds, skuIds, workOrderIds, operatorIds].every((ids) => ids === undefined);
}

/**
 * The statement that sums good units outside shifts by bucket and groups; it reads nothing if they cannot be in the query. A local hour counts
 * in the bucket in which it starts.
 */
export function selectOutsideSums(db: CompanyDb, query: SumsQuery) {
  const { companyId, machineIds, lineIds, buckets } = query;
  const isOwn = eq(hoursOutsideShifts.companyId, companyId);
  const selected = and(
    machineIds || lineIds ? sql`+${isOwn}` : isOwn,
    ifListed(hoursOutsideShifts.machineId, machineIds),
    ifOfLinesByMachine(hoursOutsideShifts, lineIds),
  );
  const sums = sql`(WITH ${bucketsOf(buckets)}
    SELECT first.i AS i, ${keysIn(ofHoursOutside, query)}, total(${hoursOutsideShifts.units}) AS units
    FROM ${inBuckets(buckets, hoursOutsideShifts, hoursOutsideShifts.startAt, null, selected)}
    ${grouped(ofHoursOutside, { ...query, limit: includesOutside(query) ? query.limit : 0 })}) AS sums`;
  return db.select({ i: sql<number>`sums.i`.as("i"), ...namesOf(query), units: sql<number>`sums.units`.as("units") }).from(sums);
}

const ofStops: Source = {
  machine_id: stops.machineId,
  line_id: lineKey(stops),
  shift_id: stops.shiftId,
  sku_id: shiftParts.skuId,
  work_order_number: shiftParts.workOrderNumber,
  general_cause_id: stops.generalCauseId,
  specific_cause_id: stops.specificCauseId,
};

/** Whether stopped time is divided by SKU or order: if the query groups by or filters them. */
export function dividesStops({ skuIds, workOrderIds, groupBy }: SumsQuery): boolean {
  return skuIds !== undefined || workOrderIds !== undefined || groupBy.includes("sku") || groupBy.includes("order");
}

/**
 * The statement that sums stopped time, clipped to buckets or of their production days, by bucket and groups; and by SKU and order if `dividesStops`.
 * @param ofPartsOf the side of the parts by which it is divided
 */
export function selectCauseSums(db: CompanyDb, query: SumsQuery, ofPartsOf?: Side) {
  const { companyId, machineIds, lineIds, shiftIds, skuIds, workOrderIds, operatorIds, buckets, now, side } = query;
  const isOwn = eq(stops.companyId, companyId);
  const isByParts = ofPartsOf?.isFormer && dividesStops(query);
  const selected = and(
    machineIds || lineIds || isByParts ? sql`+${isOwn}` : isOwn,
    // By former parts, their shift says which stops to look up.
    isByParts ? sql`+${stops.sliceStart} >= first.starts AND +${stops.sliceStart} < first.ends` : startsIn(stops.sliceStart),
    isDayIn(buckets.range, stops.day),
    isNull(stops.deletedAt),
    ifListed(stops.machineId, machineIds),
    ifOfLinesByMachine(stops, lineIds),
    ifListed(stops.shiftId, shiftIds),
    ifWorked(stops, operatorIds, side?.asOf),
    ifListed(shiftParts.skuId, skuIds),
    ifOfOrders(shiftParts.workOrderNumber, workOrderIds),
    ofSide(stops, query),
  );
  const isDivided = dividesStops(query);
  // The last part of a running shift continues beyond the hour for which it was written.
  const partEnd = sql`iif(${shiftParts.openBucket} IS NULL, ${shiftParts.endAt}, ${shiftParts.shiftEnd})`;
  const until = stopUntil(now);
  const isPartOf = sql`${shiftParts.machineId} = ${stops.machineId} AND ${shiftParts.startAt} >= ${stops.shiftStart}
    AND ${shiftParts.startAt} < ${until} AND ${partEnd} > ${stops.sliceStart}`;
  const ofStop = sql`${tableOf(stops, side)}`;
  const ofPart = sql`${tableOf(shiftParts, ofPartsOf)}`;
  const isPart = and(isPartOf, inForce(shiftParts, ofPartsOf));
  const divided = sql`${ofStop} CROSS JOIN ${ofPart} ON ${isPart}`;
  // There are few former parts: their stops are looked up, instead of the parts of all stops.
  const isNear = sql`${shiftParts.companyId} = ${companyId} AND ${shiftParts.startAt} >= first.starts AND ${shiftParts.startAt} < first.ends + ${MAX_SHIFT_MS}
    AND ${stops.sliceStart} >= ${shiftParts.shiftStart} AND ${stops.sliceStart} < ${shiftParts.shiftEnd}`;
  const byParts = sql`${ofPart} CROSS JOIN ${ofStop} ON ${and(isNear, isPart)}`;
  const from = !isDivided ? ofStop : isByParts ? byParts : divided;
  const overlap = overlapOf(buckets, {
    ...(isDivided
      ? { start: sql`max(${stops.sliceStart}, ${shiftParts.startAt})`, until: sql`min(${until}, ${partEnd})` }
      : { start: sql`${stops.sliceStart}`, until }),
    day: stops.day,
  });
  // A stop counts in the part in which it starts.
  const startsInPart = sql`(${stops.sliceStart} >= ${shiftParts.startAt} AND ${stops.sliceStart} < ${partEnd})`;
  const isStop = countsAsStop(buckets, stops.day, side?.asOf);
  const isCounted = isDivided ? sql`(${isStop} AND ${startsInPart})` : isStop;
  // The buckets reach beyond the range if shifts count for production days.
  const isInRange = buckets.range.hasProductionDays ? sql`AND (${overlap} > 0 OR ${isCounted})` : sql``;
  const isAnnotated = sql`(${stops.generalCauseId} IS NOT NULL OR ${stops.specificCauseId} IS NOT NULL)`;
  const sums = sql`(WITH ${bucketsOf(buckets)}
    SELECT bucket.i AS i, ${keysIn(ofStops, query)}, total(${isCounted}) AS stop_count,
      total(${overlap} * (${stops.isIncludedInAvailability} AND ${stops.isProgrammed})) AS programmed_ms,
      total(${overlap} * (${stops.isIncludedInAvailability} AND NOT ${stops.isProgrammed})) AS non_programmed_ms,
      total(${overlap} * NOT ${stops.isIncludedInAvailability}) AS other_ms,
      total(${overlap} * (${stops.isIncludedInAvailability} AND ${isAnnotated})) AS annotated_ms
    FROM ${spread(buckets, from, selected, { until, day: stops.day })} ${isInRange}
    ${grouped(ofStops, query)}) AS sums`;
  return db
    .select({
      i: sql<number>`sums.i`.as("i"),
      ...namesOf(query),
      stopCount: sql<number>`sums.stop_count`.as("stop_count"),
      programmedMs: sql<number>`sums.programmed_ms`.as("programmed_ms"),
      nonProgrammedMs: sql<number>`sums.non_programmed_ms`.as("non_programmed_ms"),
      otherMs: sql<number>`sums.other_ms`.as("other_ms"),
      annotatedMs: sql<number>`sums.annotated_ms`.as("annotated_ms"),
    })
    .from(sums);
}
