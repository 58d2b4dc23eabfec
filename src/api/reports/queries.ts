import { and, asc, desc, eq, getTableColumns, gt, gte, isNotNull, isNull, lt, lte, not, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { MAX_TOTAL } from "../../core/cursor.ts";
import { refuseUnknown } from "../../core/named-ids.ts";
import { type NamedIds, selectUnknown } from "../../core/queries.ts";
import {
  columnsOf,
  existsAsOf,
  inForce,
  isOfClosed,
  type Side,
  selectKnownFrom,
  sidesOf,
  tableOf,
  wasClosed,
} from "../../db/as-of.ts";
import type { CompanyDb } from "../../db/client.ts";
import { ifBetween, ifGiven, ifListed, ifOfLines, ifOfOrders, ifPresent, ifWorked, lineOfRow } from "../../db/conditions.ts";
import { isRecalculatedBy, recalculatedTimes } from "../../db/recalculating.ts";
import { type CountedRows, placeOf, totalOf } from "../../db/report-counts.ts";
import { selectPage } from "../../db/report-page.ts";
import { sumsAt } from "../../db/running-sums.ts";
import {
  companies,
  lines,
  machines,
  shiftParts,
  shiftRecords,
  shiftRevisions,
  shifts,
  stopCauses,
  stops,
} from "../../db/schema.ts";
import { stopColumns } from "../../db/slim-rows.ts";
import { startsInRange } from "../../db/spread.ts";
import { type ReportRange, searchedTime } from "../../oee/report-buckets.ts";
import { MAX_SHIFT_MS } from "../../oee/shifts.ts";
import { MINUTE_MS } from "../../oee/time.ts";
import { refuseUnknownTime } from "./as-of.ts";
import type { ShiftRecordQuery, ShiftSort, StopRecordQuery, StopSort } from "./record-query.ts";
import type { ReportFilter, StopFilter } from "./report.ts";

export type ReportedShift = Awaited<ReturnType<typeof findShiftRecords>>["records"][number];
export type ReportedStop = Awaited<ReturnType<typeof findStops>>["slices"][number];

const {
  revision: _record,
  noDataSpans: _spans,
  lineId: _line,
  day: _day,
  dayOffset: _dayOffset,
  hourlyRate: _rate,
  correctedTotal,
  correctedDefects,
  recordedAt: _recordedAt,
  recordedAfterMs: _recordedAfterMs,
  ...recordColumns
} = getTableColumns(shiftRecords);
const { revision: _slice, ...sliceColumns } = stopColumns;

// Columns of the tables that rows reference.
const companyColumns = { id: companies.id, name: companies.name };
const machineColumns = { machineName: machines.name, nodeId: machines.nodeId };
const shiftColumns = { id: shifts.id, name: shifts.name };
const causeColumns = { id: stopCauses.id, name: stopCauses.name };
const lineColumns = { id: lines.id, name: lines.name };

const referencesOfShift = {
  companies: { by: shiftRecords.companyId, columns: companyColumns },
  shifts: { by: shiftRecords.shiftId, columns: shiftColumns },
};
const referencesOfStop = {
  companies: { by: stops.companyId, columns: companyColumns },
  shifts: { by: stops.shiftId, columns: shiftColumns },
  generalCauses: { by: stops.generalCauseId, columns: causeColumns },
  specificCauses: { by: stops.specificCauseId, columns: causeColumns },
  components: { by: stops.componentId, columns: causeColumns },
};
const referenceOfLine = { lines: { by: "line_of_row", columns: lineColumns } };

const directions = { asc, desc };

/** A page of shift records by start, and the number of all that match the filter. One trip. */
export async function findShiftRecords(db: CompanyDb, filter: ReportFilter) {
  const { companyIds, machineIds, shiftIds, from, to, asOf } = filter;
  const selected = and(
    ofCompanies(shiftRecords.companyId, companyIds, machineIds),
    ifListed(shiftRecords.machineId, machineIds),
    ifListed(shiftRecords.shiftId, shiftIds),
    ifBetween(shiftRecords.startAt, from, to),
  );
  const isCounted = shiftIds === undefined && from === undefined && to === undefined;
  const counted = isCounted ? { report: "shifts" as const, companyIds, machineIds, includeDeleted: true } : null;
  const keys = [shiftRecords.startAt, shiftRecords.id] as const;
  const { statement, read } = selectPage(db, {
    columns: recordColumns,
    joined: { by: shiftRecords.machineId, id: machines.id, columns: machineColumns },
    rows:
      asOf === undefined
        ? pageOf(shiftRecords, keys, selected, filter, counted)
        : pageAsOf(shiftRecords, keys, selected, filter, asOf),
    size: filter.pageSize,
    total: asOf === undefined ? totalRows(shiftRecords, selected, counted) : totalAsOf(shiftRecords, selected, asOf),
    also: recalculatedTimes(undefined),
    references: referencesOfShift,
  });
  const { totalCount, rows, also, referred } = read(await withKnownTime(db, statement, filter));
  const isRecalculating = ofShifts(also, asOf);
  const records = rows.map((record) => {
    return { ...record, ...namesOfShift(record, referred), isRecalculating: isRecalculating(record) };
  });
  return { totalCount, records };
}

/** Reads a page, and refuses an instant of which nobody knows what was reported. One trip. */
async function withKnownTime(
  db: CompanyDb,
  statement: ReturnType<typeof selectPage>["statement"],
  { asOf, companyIds }: Pick<ReportFilter, "asOf" | "companyIds">,
) {
  if (asOf === undefined) return await statement;
  const [result, known] = await db.batch([statement, selectKnownFrom(db, companyIds)]);
  refuseUnknownTime(asOf, "/asOf", known);
  return result;
}

/** A page of stops by start, one row per shift that they touch, and the number of all that match the filter. One trip. */
export async function findStops(db: CompanyDb, filter: StopFilter, now: number) {
  const { companyIds, machineIds, includeDeleted, page, pageSize, direction, asOf, ...others } = filter;
  const selected = and(
    ofCompanies(stops.companyId, companyIds, machineIds),
    ifListed(stops.machineId, machineIds),
    selectedStops(filter, now),
  );
  const isCounted = Object.values(others).every((condition) => condition === undefined);
  const counted = isCounted ? { report: "stops" as const, companyIds, machineIds, includeDeleted } : null;
  const keys = [stops.sliceStart, stops.id] as const;
  const { statement, read } = selectPage(db, {
    columns: sliceColumns,
    joined: { by: stops.machineId, id: machines.id, columns: machineColumns },
    rows: asOf === undefined ? pageOf(stops, keys, selected, filter, counted) : pageAsOf(stops, keys, selected, filter, asOf),
    size: pageSize,
    total: asOf === undefined ? totalRows(stops, selected, counted) : totalAsOf(stops, selected, asOf),
    also: recalculatedTimes(undefined),
    references: referencesOfStop,
  });
  const { totalCount, rows, also, referred } = read(await withKnownTime(db, statement, filter));
  const isRecalculating = ofSlices(also, asOf);
  const slices = rows.map((slice) => {
    return { ...slice, ...namesOfStop(slice, referred), isRecalculating: isRecalculating(slice) };
  });
  return { totalCount, slices };
}

type Names = ReadonlyMap<number | null, { name: string }>;
type Referred<R> = { [Name in keyof R]: Names };

function namesOfShift(row: { companyId: number; shiftId: number }, referred: Referred<typeof referencesOfShift>) {
  return {
    companyName: referred.companies.get(row.companyId)?.name ?? "",
    shiftName: referred.shifts.get(row.shiftId)?.name ?? "",
  };
}

type CauseIds = Pick<typeof stops.$inferSelect, "generalCauseId" | "specificCauseId" | "componentId">;

function namesOfStop(row: { companyId: number; shiftId: number } & CauseIds, referred: Referred<typeof referencesOfStop>) {
  return {
    ...namesOfShift(row, referred),
    generalCauseName: referred.generalCauses.get(row.generalCauseId)?.name ?? null,
    specificCauseName: referred.specificCauses.get(row.specificCauseId)?.name ?? null,
    componentName: referred.components.get(row.componentId)?.name ?? null,
  };
}

function lineOf({ line_of_row: lineId }: { line_of_row: number }, { lines }: Referred<typeof referenceOfLine>) {
  const name = lines.get(lineId)?.name;
  return { line: name === undefined ? null : { name, id: lineId } };
}

/** Whether numbers of a shift are being recalculated. */
function ofShifts(also: unknown, asOf?: number) {
  // What was reported does not change while it is recalculated.
  const isRecalculated = asOf === undefined ? isRecalculatedBy(also) : () => false;
  return ({ machineId, startAt: start, endAt: end }: { machineId: number; startAt: number; endAt: number }) =>
    isRecalculated({ machineId, start, end });
}

/** Whether numbers of the shift of a slice are being recalculated. */
function ofSlices(also: unknown, asOf?: number) {
  const isRecalculated = asOf === undefined ? isRecalculatedBy(also) : () => false;
  return ({ machineId, shiftStart: start, shiftEnd: end }: { machineId: number; shiftStart: number; shiftEnd: number }) =>
    isRecalculated({ machineId, start, end });
}

/** The maximum number of rows that a list sorts if no index has them in its order. */
export const mostSorted = 50_000;

/** An order of a list: the key by which rows are sorted, and the keys that make it unique. */
interface Order {
  /** The first key: an integer. */
  value: SQL;
  /** The names of the columns that are the other keys. */
  others: string[];
  /** True if an index has the rows in this order. */
  isIndexed: boolean;
  isDescending: boolean;
  /** The keys of the last row of the previous page. */
  after: readonly number[] | undefined;
}

/** The names of columns, for a subquery that has them as well. */
const unqualified = { machineId: sql.raw("machine_id"), lineId: sql.raw("line_id") };

/** The rows of a page of a list in order, with the first key as `sort_value`, and their lines. */
function rowsInOrder(
  table: SQLiteTable,
  selected: SQL | undefined,
  { value, others, isIndexed, isDescending, after }: Order,
  limit: number,
  asOf?: number,
) {
  const direction = isDescending ? "DESC" : "ASC";
  const otherKeys = others.map((name) => sql.raw(name));
  if (asOf !== undefined) {
    const keys = sql.join([value, ...otherKeys], sql`, `);
    const isAfter =
      after &&
      sql`(${keys}) ${sql.raw(isDescending ? "<" : ">")} (${sql.join(
        after.map((key) => sql`${key}`),
        sql`, `,
      )})`;
    const sorted = sql`${value} AS sort_value, ${lineOfRow(unqualified)} AS line_of_row`;
    const both = rowsAsOf(shiftRecords, asOf, and(selected, isAfter), {
      more: sorted,
      ...(!isIndexed && { most: mostSorted + 1 }),
    });
    const order = ["sort_value", ...others].map((key) => `${key} ${direction}`).join(", ");
    return sql`${both} ORDER BY ${sql.raw(order)} LIMIT ${limit}`;
  }
  const pageBy = (first: SQL, from: SQL, where: SQL | undefined) => {
    const keys = [first, ...otherKeys];
    const order = sql.join(
      keys.map((key) => sql`${key} ${sql.raw(direction)}`),
      sql`, `,
    );
    const isAfter =
      after &&
      sql`(${sql.join(keys, sql`, `)}) ${sql.raw(isDescending ? "<" : ">")} (${sql.join(
        after.map((key) => sql`${key}`),
        sql`, `,
      )})`;
    return sql`SELECT *, ${first} AS sort_value, ${lineOfRow(unqualified)} AS line_of_row FROM ${from} WHERE ${and(where, isAfter) ?? sql`true`} ORDER BY ${order} LIMIT ${limit}`;
  };
  if (isIndexed) return pageBy(value, sql`${table}`, selected);
  const bounded = sql`(SELECT *, ${value} AS first_key FROM ${table} WHERE ${selected ?? sql`true`} LIMIT ${mostSorted + 1})`;
  return pageBy(sql`first_key`, bounded, undefined);
}

/** Rows of shift records, with how many revisions each has: the number of its last one. Only of a page: each costs a search. */
function withRevisions(rows: SQL, asOf: number | undefined): SQL {
  const isKnown = asOf === undefined ? sql`true` : sql`${shiftRevisions.recordedAt} <= ${asOf}`;
  return sql`SELECT of_page.*, ifnull((SELECT n FROM ${shiftRevisions} WHERE ${shiftRevisions.recordId} = of_page.id AND ${isKnown}
    ORDER BY n DESC LIMIT 1), 0) AS revision_count FROM (${rows}) AS of_page`;
}

/** Counts matching rows, up to the number that matters: for the total if it was requested, or to detect too many rows to sort. */
function countOf(table: SQLiteTable, selected: SQL | undefined, { isIndexed }: Order, wantsTotal: boolean, asOf?: number): SQL {
  if (isIndexed && !wantsTotal) return sql`0`;
  const most = isIndexed ? MAX_TOTAL : mostSorted;
  if (asOf !== undefined) return countAsOf(shiftRecords, selected, asOf, most + 1);
  return sql`(SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${selected ?? sql`true`} LIMIT ${most + 1}))`;
}

/** A request for a list, without its filters. */
interface Listing<Sort> {
  companyId: number;
  now: number;
  /** The range of a company with production days; null: `from` and `to` are only instants. */
  range: ReportRange | null;
  sort: { by: Sort; isDescending: boolean };
  after: readonly number[] | undefined;
  /** Ids that must belong to the company. */
  named: NamedIds;
}

/**
 * The shift records of a page of a list, one more than its limit; the number of matching rows (see `countOf`); and an unknown id if the
 * request names one. One trip.
 */
export async function findShiftRecordsInOrder(db: CompanyDb, query: ShiftRecordQuery, listing: Listing<ShiftSort>) {
  const { companyId, now, range, sort, after, named } = listing;
  const { asOf } = query;
  const selected = selectedRecords(query, companyId, now, range);
  const isIndexed = sort.by === "start";
  const { isDescending } = sort;
  const order = { value: shiftSortKeys(now)[sort.by], others: ["id"], isIndexed, isDescending, after };
  const { statement, read } = selectPage(db, {
    columns: { ...recordColumns, correctedTotal, correctedDefects },
    numbers: ["sort_value", "line_of_row", "revision_count"],
    joined: { by: shiftRecords.machineId, id: machines.id, columns: machineColumns },
    rows: withRevisions(rowsInOrder(shiftRecords, selected, order, query.limit + 1, asOf), asOf),
    size: query.limit + 1,
    total: countOf(shiftRecords, selected, order, query.total, asOf),
    also: recalculatedTimes(companyId),
    references: { ...referencesOfShift, ...referenceOfLine },
  });
  const { result, unknown } = await withUnknown(db, statement, selectUnknown(db, companyId, named), { companyId, asOf });
  const { totalCount: count, rows, also, referred } = read(result);
  const isRecalculating = ofShifts(also, asOf);
  const records = rows.map((row) => {
    return { ...row, ...namesOfShift(row, referred), ...lineOf(row, referred), isRecalculating: isRecalculating(row) };
  });
  return { records, count, unknown };
}

/** Like `findShiftRecordsInOrder`, for stops: one row per shift that they touch. */
export async function findStopsInOrder(db: CompanyDb, query: StopRecordQuery, listing: Listing<StopSort>) {
  const { companyId, now, range, sort, after, named } = listing;
  const selected = and(ofPlant(stops, { ...query, companyId }), selectedStops(query, now, range));
  const { isDescending } = sort;
  const order =
    sort.by === "start"
      ? { value: sql`${stops.sliceStart}`, others: ["id"], isIndexed: true, isDescending, after }
      : { value: durationAt(now), others: ["id", "slice_start"], isIndexed: false, isDescending, after };
  const { statement, read } = selectPage(db, {
    columns: sliceColumns,
    numbers: ["sort_value", "line_of_row"],
    joined: { by: stops.machineId, id: machines.id, columns: machineColumns },
    rows: rowsInOrder(stops, selected, order, query.limit + 1),
    size: query.limit + 1,
    total: countOf(stops, selected, order, query.total),
    also: recalculatedTimes(companyId),
    references: { ...referencesOfStop, ...referenceOfLine },
  });
  const { result, unknown } = await withUnknown(db, statement, selectUnknown(db, companyId, named));
  const { totalCount: count, rows, also, referred } = read(result);
  const isRecalculating = ofSlices(also);
  const slices = rows.map((row) => {
    return { ...row, ...namesOfStop(row, referred), ...lineOf(row, referred), isRecalculating: isRecalculating(row) };
  });
  return { slices, count, unknown };
}

type Unknown = NonNullable<ReturnType<typeof selectUnknown>>;

async function withUnknown(
  db: CompanyDb,
  statement: ReturnType<typeof selectPage>["statement"],
  unknown: Unknown | null,
  { companyId, asOf }: { companyId: number; asOf?: number | undefined } = { companyId: 0 },
) {
  if (asOf !== undefined) {
    const [result, known, ...[found]] = await db.batch([
      statement,
      selectKnownFrom(db, [companyId]),
      ...(unknown ? [unknown] : []),
    ]);
    refuseUnknown(found?.[0]?.unknown ?? null);
    refuseUnknownTime(asOf, "/query/asOf", known);
    return { result, unknown: null };
  }
  if (!unknown) return { result: await statement, unknown: null };
  const [result, [found]] = await db.batch([statement, unknown]);
  return { result, unknown: found?.unknown ?? null };
}

function selectedRecords(query: ShiftRecordQuery, companyId: number, now: number, range: ReportRange | null): SQL | undefined {
  const { from, to, isActive, skuIds, workOrderIds, operatorIds } = query;
  const isRunning = and(
    gt(shiftRecords.startAt, now - MAX_SHIFT_MS),
    lte(shiftRecords.startAt, now),
    gt(shiftRecords.endAt, now),
  );
  const partOf = (isOne: SQL) =>
    existsAsOf(
      shiftParts,
      query.asOf,
      sql`${shiftParts.machineId} = ${shiftRecords.machineId}
    AND ${shiftParts.startAt} >= ${shiftRecords.startAt} AND ${shiftParts.startAt} < ${shiftRecords.endAt} AND ${isOne}`,
    );
  const [isSku, isOrder] = [ifListed(shiftParts.skuId, skuIds), ifOfOrders(shiftParts.workOrderNumber, workOrderIds)];
  return and(
    ofPlant(shiftRecords, { ...query, companyId }),
    ifListed(shiftRecords.shiftId, query.shiftIds),
    range ? startsInRange(range, shiftRecords.startAt, shiftRecords.day) : ifBetween(shiftRecords.startAt, from, to),
    isActive === undefined ? undefined : isActive ? isRunning : isRunning && not(isRunning),
    isSku && partOf(isSku),
    isOrder && partOf(isOrder),
    ifWorked({ machineId: shiftRecords.machineId, shiftStart: shiftRecords.startAt }, operatorIds, query.asOf),
  );
}

/** Ratios are sorted as whole numbers of 1/1e12, because a cursor in JSON would lose digits of a fraction. */
const RATIO_STEPS = 1e12;

/** The sort keys of shift records as of an instant. Sorting by the unrounded value puts the rounded ones in order, too. */
function shiftSortKeys(now: number): Record<ShiftSort, SQL> {
  const sums = sumsAt(now);
  const { availableMs, programmedMs, nonProgrammedMs } = sums;
  const { totalUnits, defectUnits, idealMs } = shiftRecords;
  const unavailableMs = sql`(${programmedMs} + ${nonProgrammedMs})`;
  const availability = sql`iif(${availableMs} > 0, 1.0 * ${availableMs} / (${availableMs} + ${unavailableMs}), 0.0)`;
  const effectiveness = sql`iif(${availableMs} > 0, ${idealMs} / ${availableMs}, 0.0)`;
  const quality = sql`iif(${totalUnits} = 0, iif(${defectUnits} = 0, 1.0, 0.0), max(0.0, 1.0 * (${totalUnits} - ${defectUnits}) / ${totalUnits}))`;
  // The largest integer that JSON carries exactly.
  const steps = (ratio: SQL) => sql`CAST(min(round(${ratio} * ${RATIO_STEPS}), ${Number.MAX_SAFE_INTEGER}) AS INTEGER)`;
  return {
    start: sql`${shiftRecords.startAt}`,
    oee: steps(sql`${availability} * ${effectiveness} * ${quality}`),
    availability: steps(availability),
    availableTime: availableMs,
    unavailableTime: unavailableMs,
    programmedDowntime: programmedMs,
    nonProgrammedDowntime: nonProgrammedMs,
    otherStopsTime: sums.otherMs,
    noDataTime: sums.noDataMs,
    lateStartTime: sums.lateStartMs,
    earlyStopTime: sums.earlyStopMs,
    annotatedDowntime: sums.annotatedMs,
  };
}

interface Plant {
  companyId: number;
  machineIds?: readonly number[] | undefined;
  lineIds?: readonly number[] | undefined;
}

/**
 * The condition on rows of a company's machines. A single machine's rows are found by the index by machine, all others by the index by company:
 * both are in the order of time.
 */
function ofPlant(
  table: { companyId: SQLiteColumn; machineId: SQLiteColumn; lineId: SQLiteColumn },
  { companyId, machineIds, lineIds }: Plant,
) {
  const isOfMachine = ifListed(table.machineId, machineIds);
  const isInLine = ifOfLines(table, lineIds);
  if (machineIds?.length === 1) return and(isOfMachine, sql`+${table.companyId} = ${companyId}`, isInLine);
  return and(eq(table.companyId, companyId), isOfMachine && sql`+${isOfMachine}`, isInLine);
}

function totalRows(table: SQLiteTable, selected: SQL | undefined, counted: CountedRows | null): SQL {
  return counted ? totalOf(counted) : sql`(SELECT count(*) FROM ${table} WHERE ${selected ?? sql`true`})`;
}

/** Rows below this offset are cheaper to skip with OFFSET than by seeking their position. */
const MAX_SKIPPED = 100;

/** The rows of a page, in order. A row skipped by OFFSET costs one index entry. */
function pageOf(
  table: SQLiteTable,
  [start, id]: readonly [SQLiteColumn, SQLiteColumn],
  selected: SQL | undefined,
  { page, pageSize, direction }: Pick<ReportFilter, "page" | "pageSize" | "direction">,
  counted: CountedRows | null,
): SQL {
  const offset = (page - 1) * pageSize;
  const order = sql.join([start, id].map(directions[direction]), sql`, `);
  const rows = (where: SQL | undefined, skipped: SQL) =>
    sql`SELECT * FROM ${table} WHERE ${where ?? sql`true`} ORDER BY ${order} LIMIT ${pageSize} OFFSET ${skipped}`;
  if (!counted || offset <= MAX_SKIPPED) return rows(selected, sql`${offset}`);
  const { ctes, edge, offset: skipped } = placeOf(counted, direction, offset);
  const isBeyond = direction === "asc" ? sql`${start} >= ${edge}` : sql`${start} < ${edge}`;
  return sql`${ctes} ${rows(and(selected, isBeyond), skipped)}`;
}

type AsOfTable = typeof shiftRecords | typeof stops;

/** Condition: a row of a side was in force, and its shift closed for good. */
function reportedAt(table: AsOfTable, side: Side): SQL | undefined {
  if (table === shiftRecords) return wasClosed(side);
  // A slice starts before the end of its shift. That says so of the column that indexes have.
  return and(lt(stops.sliceStart, side.asOf), inForce(stops, side), isOfClosed(stops, side.asOf));
}

/**
 * The rows of both sides of an instant, to which an order can be added: each side is read in it by its own index.
 * @param more columns besides those of the table
 * @param most the most rows to read of each side
 */
function rowsAsOf(
  table: AsOfTable,
  asOf: number,
  selected: SQL | undefined,
  { more, most }: { more?: SQL; most?: number } = {},
): SQL {
  const ofSide = (side: Side) => {
    const columns = more ? sql`${columnsOf(table)}, ${more}` : columnsOf(table);
    const rows = sql`SELECT ${columns} FROM ${tableOf(table, side)} WHERE ${and(selected, reportedAt(table, side))}`;
    return most === undefined ? rows : sql`SELECT * FROM (${rows} LIMIT ${most})`;
  };
  const [present, former] = sidesOf(asOf).map(ofSide);
  return sql`${present} UNION ALL ${former}`;
}

function countAsOf(table: AsOfTable, selected: SQL | undefined, asOf: number, most: number): SQL {
  const [present, former] = sidesOf(asOf).map(
    (side) => sql`SELECT 1 FROM ${tableOf(table, side)} WHERE ${and(selected, reportedAt(table, side))}`,
  );
  return sql`(SELECT count(*) FROM (${present} UNION ALL ${former} LIMIT ${most}))`;
}

/** The total number of rows as of an instant. They are not counted as they are written, so they are counted up to a bound. */
function totalAsOf(table: AsOfTable, selected: SQL | undefined, asOf: number): SQL {
  return countAsOf(table, selected, asOf, MAX_TOTAL);
}

/** Like `pageOf`, as of an instant. */
function pageAsOf(
  table: AsOfTable,
  keys: readonly [SQLiteColumn, SQLiteColumn],
  selected: SQL | undefined,
  { page, pageSize, direction }: Pick<ReportFilter, "page" | "pageSize" | "direction">,
  asOf: number,
): SQL {
  const order = keys.map(({ name }) => `${name} ${direction}`).join(", ");
  return sql`${rowsAsOf(table, asOf, selected)} ORDER BY ${sql.raw(order)} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`;
}

type StopConditions = Omit<StopFilter, "companyIds" | "machineIds" | "page" | "pageSize" | "direction" | "asOf"> &
  Pick<StopRecordQuery, "hasGeneralCause" | "hasSpecificCause">;

/** The conditions of a stop filter, except those on companies and machines. */
function selectedStops(filter: StopConditions, now: number, range: ReportRange | null = null): SQL | undefined {
  const { from, to, isOpen, minDurationInMinutes } = filter;
  const searched = range ? searchedTime(range) : { start: from, end: to };
  const goesOn = and(isNull(stops.sliceEnd), gt(stops.shiftEnd, now));
  return and(
    ifListed(stops.shiftId, filter.shiftIds),
    range ? startsInRange(range, stops.shiftStart, stops.day) : ifBetween(stops.shiftStart, from, to),
    // Implied by the line above, but uses the index's column.
    ifBetween(stops.sliceStart, searched?.start, searched?.end === undefined ? undefined : searched.end + MAX_SHIFT_MS),
    ifGiven(stops.isProgrammed, filter.isProgrammed),
    ifGiven(stops.isManual, filter.isManual),
    ifGiven(stops.isIncludedInStops, filter.isIncludedInStops),
    ifGiven(stops.isIncludedInAvailability, filter.isIncludedInAvailability),
    ifPresent(stops.classificationId, filter.isClassified),
    isOpen === undefined ? undefined : isOpen ? goesOn : or(isNotNull(stops.sliceEnd), lte(stops.shiftEnd, now)),
    minDurationInMinutes === undefined ? undefined : gte(durationAt(now), minDurationInMinutes * MINUTE_MS),
    ifListed(stops.generalCauseId, filter.generalCauseIds),
    ifListed(stops.specificCauseId, filter.specificCauseIds),
    ifPresent(stops.generalCauseId, filter.hasGeneralCause),
    ifPresent(stops.specificCauseId, filter.hasSpecificCause),
    ifListed(stops.componentId, filter.componentIds),
    filter.includeDeleted ? undefined : isNull(stops.deletedAt),
  );
}

/** The length of a slice in ms; an open slice lasts until now or the end of its shift. */
function durationAt(now: number): SQL {
  return sql`coalesce(${stops.sliceEnd}, min(${now}, ${stops.shiftEnd})) - ${stops.sliceStart}`;
}

/** The condition on companies. If machines are named too, the unary plus rules out the index by company. */
function ofCompanies(column: SQLiteColumn, ids: readonly number[] | undefined, machineIds: readonly number[] | undefined) {
  const isOne = ifListed(column, ids);
  return isOne && machineIds ? sql`+${isOne}` : isOne;
}
