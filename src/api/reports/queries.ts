import {
  aliasedTable,
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  getTableName,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  Subquery,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/client.ts";
import { type CountedRows, placeOf, totalOf } from "../../db/report-counts.ts";
import { nameFinder, selectNames } from "../../db/report-names.ts";
import { companies, machines, shiftRecords, shifts, stopCauses, stops } from "../../db/schema.ts";
import { MAX_SHIFT_MS } from "../../oee/shifts.ts";
import { MINUTE_MS } from "../../oee/time.ts";
import type { StopFilter } from "./get-stop-report.ts";
import type { ReportFilter } from "./report.ts";

export type ReportedShift = Awaited<ReturnType<typeof findShiftRecords>>["records"][number];
export type ReportedStop = Awaited<ReturnType<typeof findStops>>["slices"][number];

// Pages are of many machines: each row is joined with its own. The other names are few, and come by themselves.
const ofMachine = {
  machineName: sql<string>`${machines.name}`.as("machine_name"),
  nodeId: sql<number>`${machines.nodeId}`.as("node_id"),
};

const recordPage = aliasedTable(shiftRecords, "page");
const stopPage = aliasedTable(stops, "page");

const directions = { asc, desc };

/** The shift records of a page, by start, and the number of all that the filter selects: one trip. */
export async function findShiftRecords(db: Db, filter: ReportFilter) {
  const { companyIds, machineIds, shiftIds, from, to } = filter;
  const selected = and(
    ofCompanies(shiftRecords.companyId, companyIds, machineIds),
    among(shiftRecords.machineId, machineIds),
    among(shiftRecords.shiftId, shiftIds),
    between(shiftRecords.startAt, from, to),
  );
  const isCounted = shiftIds === undefined && from === undefined && to === undefined;
  const counted = isCounted ? { report: "shifts" as const, companyIds, machineIds, includeDeleted: true } : null;
  const rows = pageOf(shiftRecords, [shiftRecords.startAt, shiftRecords.id], selected, filter, counted);
  const [[total], records, names] = await db.batch([
    countRows(db, shiftRecords, selected, counted),
    db
      .select({ ...getTableColumns(recordPage), ...ofMachine })
      .from(asTable(recordPage, rows))
      .leftJoin(machines, eq(machines.id, recordPage.machineId)),
    selectNames(db, rows, [
      [shiftRecords.companyId, companies],
      [shiftRecords.shiftId, shifts],
    ]),
  ]);
  const nameOf = nameFinder(names);
  const named = records.map((record) => ({
    ...record,
    companyName: nameOf(shiftRecords.companyId, record.companyId) ?? "",
    shiftName: nameOf(shiftRecords.shiftId, record.shiftId) ?? "",
  }));
  return { totalCount: total?.totalCount ?? 0, records: named };
}

/** The stops of a page, one row per shift that they touch, by start, and the number of all that the filter selects: one trip. */
export async function findStops(db: Db, filter: StopFilter, now: number) {
  const { companyIds, machineIds, includeDeleted, page, pageSize, direction, ...others } = filter;
  const selected = selectedStops(filter, now);
  const isCounted = Object.values(others).every((condition) => condition === undefined);
  const counted = isCounted ? { report: "stops" as const, companyIds, machineIds, includeDeleted } : null;
  const rows = pageOf(stops, [stops.sliceStart, stops.id], selected, { page, pageSize, direction }, counted);
  const [[total], slices, names] = await db.batch([
    countRows(db, stops, selected, counted),
    db
      .select({ ...getTableColumns(stopPage), ...ofMachine })
      .from(asTable(stopPage, rows))
      .leftJoin(machines, eq(machines.id, stopPage.machineId)),
    selectNames(db, rows, [
      [stops.companyId, companies],
      [stops.shiftId, shifts],
      [stops.generalCauseId, stopCauses],
      [stops.specificCauseId, stopCauses],
      [stops.componentId, stopCauses],
    ]),
  ]);
  const nameOf = nameFinder(names);
  const named = slices.map((slice) => ({
    ...slice,
    companyName: nameOf(stops.companyId, slice.companyId) ?? "",
    shiftName: nameOf(stops.shiftId, slice.shiftId) ?? "",
    generalCauseName: nameOf(stops.generalCauseId, slice.generalCauseId),
    specificCauseName: nameOf(stops.specificCauseId, slice.specificCauseId),
    componentName: nameOf(stops.componentId, slice.componentId),
  }));
  return { totalCount: total?.totalCount ?? 0, slices: named };
}

function countRows(db: Db, table: SQLiteTable, selected: SQL | undefined, counted: CountedRows | null) {
  if (!counted) return db.select({ totalCount: count() }).from(table).where(selected);
  return db.select({ totalCount: totalOf(counted).as("total_count") }).from(sql`(SELECT 1)`);
}

/** So many rows are passed over sooner than their place is found. */
const passedOver = 100;

/** The rows of a page, in order. Those that are only passed over cost an entry of the index each. */
function pageOf(
  table: SQLiteTable,
  [start, id]: [SQLiteColumn, SQLiteColumn],
  selected: SQL | undefined,
  { page, pageSize, direction }: Pick<ReportFilter, "page" | "pageSize" | "direction">,
  counted: CountedRows | null,
): SQL {
  const offset = (page - 1) * pageSize;
  const order = sql.join([start, id].map(directions[direction]), sql`, `);
  const rows = (where: SQL | undefined, skipped: SQL) =>
    sql`SELECT * FROM ${table} WHERE ${where ?? sql`true`} ORDER BY ${order} LIMIT ${pageSize} OFFSET ${skipped}`;
  if (!counted || offset <= passedOver) return rows(selected, sql`${offset}`);
  const { ctes, edge, passed } = placeOf(counted, direction, offset);
  const isBeyond = direction === "asc" ? sql`${start} >= ${edge}` : sql`${start} < ${edge}`;
  return sql`${ctes} ${rows(and(selected, isBeyond), passed)}`;
}

/** The rows as a table of the name that the alias has, so that its columns are theirs. Joined from the left they stay in order. */
function asTable<T extends SQLiteTable>(alias: T, rows: SQL): T {
  return new Subquery(rows, getTableColumns(alias), getTableName(alias)) as unknown as T;
}

function selectedStops(filter: StopFilter, now: number): SQL | undefined {
  const { from, to, isClassified, isOpen, minDurationInMinutes } = filter;
  const goesOn = and(isNull(stops.sliceEnd), gt(stops.shiftEnd, now));
  const durationMs = sql`coalesce(${stops.sliceEnd}, min(${now}, ${stops.shiftEnd})) - ${stops.sliceStart}`;
  return and(
    ofCompanies(stops.companyId, filter.companyIds, filter.machineIds),
    among(stops.machineId, filter.machineIds),
    among(stops.shiftId, filter.shiftIds),
    between(stops.shiftStart, from, to),
    // Says nothing new, but of the column that the index is by.
    between(stops.sliceStart, from, to === undefined ? undefined : to + MAX_SHIFT_MS),
    is(stops.isProgrammed, filter.isProgrammed),
    is(stops.isManual, filter.isManual),
    is(stops.isIncludedInStops, filter.isIncludedInStops),
    is(stops.isIncludedInAvailability, filter.isIncludedInAvailability),
    isClassified === undefined ? undefined : (isClassified ? isNotNull : isNull)(stops.classificationId),
    isOpen === undefined ? undefined : isOpen ? goesOn : or(isNotNull(stops.sliceEnd), lte(stops.shiftEnd, now)),
    minDurationInMinutes === undefined ? undefined : gte(durationMs, minDurationInMinutes * MINUTE_MS),
    among(stops.generalCauseId, filter.generalCauseIds),
    among(stops.specificCauseId, filter.specificCauseIds),
    among(stops.componentId, filter.componentIds),
    filter.includeDeleted ? undefined : isNull(stops.deletedAt),
  );
}

/** One parameter for any number of ids; a single one leaves the order to the index. Not asked for: no condition. */
function among(column: SQLiteColumn, ids: readonly number[] | undefined): SQL | undefined {
  if (ids === undefined) return undefined;
  return ids.length === 1 ? eq(column, ids[0]) : sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
}

/** Of companies. Where machines are named too, theirs is the index: a plus keeps the companies' out of it. */
function ofCompanies(column: SQLiteColumn, ids: readonly number[] | undefined, machineIds: readonly number[] | undefined) {
  const isOne = among(column, ids);
  return isOne && machineIds ? sql`+${isOne}` : isOne;
}

function between(column: SQLiteColumn, from: number | undefined, to: number | undefined): SQL | undefined {
  return and(from === undefined ? undefined : gte(column, from), to === undefined ? undefined : lt(column, to));
}

function is(column: SQLiteColumn, value: boolean | undefined): SQL | undefined {
  return value === undefined ? undefined : eq(column, value);
}
