import {
  aliasedTable,
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/client.ts";
import { companies, machines, shiftRecords, shifts, stopCauses, stops } from "../../db/schema.ts";
import { MAX_SHIFT_MS } from "../../oee/shifts.ts";
import { MINUTE_MS } from "../../oee/time.ts";
import type { StopFilter } from "./get-stop-report.ts";
import type { ReportFilter } from "./report.ts";

export type ReportedShift = Awaited<ReturnType<typeof findShiftRecords>>["records"][number];
export type ReportedStop = Awaited<ReturnType<typeof findStops>>["slices"][number];

// The joins of one batch: no two selected columns may have the same name.
const names = {
  companyName: sql<string>`${companies.name}`.as("company_name"),
  machineName: sql<string>`${machines.name}`.as("machine_name"),
  shiftName: sql<string>`${shifts.name}`.as("shift_name"),
};

const directions = { asc, desc };

/** The shift records of a page, by start, and the number of all that the filter selects: one trip. */
export async function findShiftRecords(db: Db, filter: ReportFilter) {
  const selected = and(
    among(shiftRecords.companyId, filter.companyIds),
    among(shiftRecords.machineId, filter.machineIds),
    among(shiftRecords.shiftId, filter.shiftIds),
    between(shiftRecords.startAt, filter.from, filter.to),
  );
  const order = [shiftRecords.startAt, shiftRecords.id].map(directions[filter.direction]);
  // Found before anything is joined: rows that are only passed over cost an entry of the index each.
  const page = db
    .select({ id: shiftRecords.id })
    .from(shiftRecords)
    .where(selected)
    .orderBy(...order)
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  const [[counted], records] = await db.batch([
    db.select({ totalCount: count() }).from(shiftRecords).where(selected),
    db
      .select({ ...getTableColumns(shiftRecords), ...names, nodeId: machines.nodeId })
      .from(shiftRecords)
      .innerJoin(companies, eq(companies.id, shiftRecords.companyId))
      .innerJoin(machines, eq(machines.id, shiftRecords.machineId))
      .innerJoin(shifts, eq(shifts.id, shiftRecords.shiftId))
      .where(inArray(shiftRecords.id, page))
      .orderBy(...order),
  ]);
  return { totalCount: counted?.totalCount ?? 0, records };
}

const generalCauses = aliasedTable(stopCauses, "general_causes");
const specificCauses = aliasedTable(stopCauses, "specific_causes");
const components = aliasedTable(stopCauses, "components");

/** The stops of a page, one row per shift that they touch, by start, and the number of all that the filter selects: one trip. */
export async function findStops(db: Db, filter: StopFilter, now: number) {
  const selected = selectedStops(filter, now);
  const order = [stops.sliceStart, stops.id].map(directions[filter.direction]);
  const page = db
    .select({ rowid: sql`${stops}.rowid` })
    .from(stops)
    .where(selected)
    .orderBy(...order)
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize);
  const [[counted], slices] = await db.batch([
    db.select({ totalCount: count() }).from(stops).where(selected),
    db
      .select({
        ...getTableColumns(stops),
        ...names,
        generalCauseName: sql<string | null>`${generalCauses.name}`.as("general_cause_name"),
        specificCauseName: sql<string | null>`${specificCauses.name}`.as("specific_cause_name"),
        componentName: sql<string | null>`${components.name}`.as("component_name"),
      })
      .from(stops)
      .innerJoin(companies, eq(companies.id, stops.companyId))
      .innerJoin(machines, eq(machines.id, stops.machineId))
      .innerJoin(shifts, eq(shifts.id, stops.shiftId))
      .leftJoin(generalCauses, eq(generalCauses.id, stops.generalCauseId))
      .leftJoin(specificCauses, eq(specificCauses.id, stops.specificCauseId))
      .leftJoin(components, eq(components.id, stops.componentId))
      .where(sql`${stops}.rowid IN ${page}`)
      .orderBy(...order),
  ]);
  return { totalCount: counted?.totalCount ?? 0, slices };
}

function selectedStops(filter: StopFilter, now: number): SQL | undefined {
  const { from, to, isClassified, isOpen, minDurationInMinutes } = filter;
  const goesOn = and(isNull(stops.sliceEnd), gt(stops.shiftEnd, now));
  const durationMs = sql`coalesce(${stops.sliceEnd}, min(${now}, ${stops.shiftEnd})) - ${stops.sliceStart}`;
  return and(
    among(stops.companyId, filter.companyIds),
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

function between(column: SQLiteColumn, from: number | undefined, to: number | undefined): SQL | undefined {
  return and(from === undefined ? undefined : gte(column, from), to === undefined ? undefined : lt(column, to));
}

function is(column: SQLiteColumn, value: boolean | undefined): SQL | undefined {
  return value === undefined ? undefined : eq(column, value);
}
