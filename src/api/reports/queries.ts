import { and, asc, desc, getTableColumns, gt, gte, isNotNull, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/client.ts";
import { ifGiven, ifListed } from "../../db/conditions.ts";
import { type CountedRows, placeOf, totalOf } from "../../db/report-counts.ts";
import { readPage } from "../../db/report-page.ts";
import { companies, machines, shiftRecords, shifts, stopCauses, stops } from "../../db/schema.ts";
import { MAX_SHIFT_MS } from "../../oee/shifts.ts";
import { MINUTE_MS } from "../../oee/time.ts";
import type { ReportFilter, StopFilter } from "./report.ts";

export type ReportedShift = Awaited<ReturnType<typeof findShiftRecords>>["records"][number];
export type ReportedStop = Awaited<ReturnType<typeof findStops>>["slices"][number];

const { revision: _record, noDataSpans: _spans, ...recordColumns } = getTableColumns(shiftRecords);
const { revision: _slice, ...stopColumns } = getTableColumns(stops);

// Columns of the tables that rows refer to.
const companyColumns = { id: companies.id, name: companies.name };
const machineColumns = { machineName: machines.name, nodeId: machines.nodeId };
const shiftColumns = { id: shifts.id, name: shifts.name };
const causeColumns = { id: stopCauses.id, name: stopCauses.name };

const directions = { asc, desc };

/** A page of shift records by start, and the number of all that the filter selects. One trip. */
export async function findShiftRecords(db: Db, filter: ReportFilter) {
  const { companyIds, machineIds, shiftIds, from, to } = filter;
  const selected = and(
    ofCompanies(shiftRecords.companyId, companyIds, machineIds),
    ifListed(shiftRecords.machineId, machineIds),
    ifListed(shiftRecords.shiftId, shiftIds),
    between(shiftRecords.startAt, from, to),
  );
  const isCounted = shiftIds === undefined && from === undefined && to === undefined;
  const counted = isCounted ? { report: "shifts" as const, companyIds, machineIds, includeDeleted: true } : null;
  const { totalCount, rows, referred } = await readPage(db, {
    columns: recordColumns,
    joined: { by: shiftRecords.machineId, id: machines.id, columns: machineColumns },
    rows: pageOf(shiftRecords, [shiftRecords.startAt, shiftRecords.id], selected, filter, counted),
    size: filter.pageSize,
    total: totalRows(shiftRecords, selected, counted),
    references: {
      companies: { by: shiftRecords.companyId, columns: companyColumns },
      shifts: { by: shiftRecords.shiftId, columns: shiftColumns },
    },
  });
  const records = rows.map((record) => ({
    ...record,
    companyName: referred.companies.get(record.companyId)?.name ?? "",
    shiftName: referred.shifts.get(record.shiftId)?.name ?? "",
  }));
  return { totalCount, records };
}

/** A page of stops by start, one row per shift that they touch, and the number of all that the filter selects. One trip. */
export async function findStops(db: Db, filter: StopFilter, now: number) {
  const { companyIds, machineIds, includeDeleted, page, pageSize, direction, ...others } = filter;
  const selected = selectedStops(filter, now);
  const isCounted = Object.values(others).every((condition) => condition === undefined);
  const counted = isCounted ? { report: "stops" as const, companyIds, machineIds, includeDeleted } : null;
  const { totalCount, rows, referred } = await readPage(db, {
    columns: stopColumns,
    joined: { by: stops.machineId, id: machines.id, columns: machineColumns },
    rows: pageOf(stops, [stops.sliceStart, stops.id], selected, filter, counted),
    size: pageSize,
    total: totalRows(stops, selected, counted),
    references: {
      companies: { by: stops.companyId, columns: companyColumns },
      shifts: { by: stops.shiftId, columns: shiftColumns },
      generalCauses: { by: stops.generalCauseId, columns: causeColumns },
      specificCauses: { by: stops.specificCauseId, columns: causeColumns },
      components: { by: stops.componentId, columns: causeColumns },
    },
  });
  const slices = rows.map((slice) => ({
    ...slice,
    companyName: referred.companies.get(slice.companyId)?.name ?? "",
    shiftName: referred.shifts.get(slice.shiftId)?.name ?? "",
    generalCauseName: referred.generalCauses.get(slice.generalCauseId)?.name ?? null,
    specificCauseName: referred.specificCauses.get(slice.specificCauseId)?.name ?? null,
    componentName: referred.components.get(slice.componentId)?.name ?? null,
  }));
  return { totalCount, slices };
}

function totalRows(table: SQLiteTable, selected: SQL | undefined, counted: CountedRows | null): SQL {
  return counted ? totalOf(counted) : sql`(SELECT count(*) FROM ${table} WHERE ${selected ?? sql`true`})`;
}

/** Rows below this offset are cheaper to skip with OFFSET than by looking for their place. */
const MAX_SKIPPED = 100;

/** The rows of a page, in order. A row that OFFSET skips costs an entry of the index. */
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
  if (!counted || offset <= MAX_SKIPPED) return rows(selected, sql`${offset}`);
  const { ctes, edge, offset: skipped } = placeOf(counted, direction, offset);
  const isBeyond = direction === "asc" ? sql`${start} >= ${edge}` : sql`${start} < ${edge}`;
  return sql`${ctes} ${rows(and(selected, isBeyond), skipped)}`;
}

function selectedStops(filter: StopFilter, now: number): SQL | undefined {
  const { from, to, isClassified, isOpen, minDurationInMinutes } = filter;
  const goesOn = and(isNull(stops.sliceEnd), gt(stops.shiftEnd, now));
  const durationMs = sql`coalesce(${stops.sliceEnd}, min(${now}, ${stops.shiftEnd})) - ${stops.sliceStart}`;
  return and(
    ofCompanies(stops.companyId, filter.companyIds, filter.machineIds),
    ifListed(stops.machineId, filter.machineIds),
    ifListed(stops.shiftId, filter.shiftIds),
    between(stops.shiftStart, from, to),
    // Implied by the line above, but on the column of the index.
    between(stops.sliceStart, from, to === undefined ? undefined : to + MAX_SHIFT_MS),
    ifGiven(stops.isProgrammed, filter.isProgrammed),
    ifGiven(stops.isManual, filter.isManual),
    ifGiven(stops.isIncludedInStops, filter.isIncludedInStops),
    ifGiven(stops.isIncludedInAvailability, filter.isIncludedInAvailability),
    isClassified === undefined ? undefined : (isClassified ? isNotNull : isNull)(stops.classificationId),
    isOpen === undefined ? undefined : isOpen ? goesOn : or(isNotNull(stops.sliceEnd), lte(stops.shiftEnd, now)),
    minDurationInMinutes === undefined ? undefined : gte(durationMs, minDurationInMinutes * MINUTE_MS),
    ifListed(stops.generalCauseId, filter.generalCauseIds),
    ifListed(stops.specificCauseId, filter.specificCauseIds),
    ifListed(stops.componentId, filter.componentIds),
    filter.includeDeleted ? undefined : isNull(stops.deletedAt),
  );
}

/** The condition on companies. If machines are named too, the unary plus keeps SQLite from using the companies' index. */
function ofCompanies(column: SQLiteColumn, ids: readonly number[] | undefined, machineIds: readonly number[] | undefined) {
  const isOne = ifListed(column, ids);
  return isOne && machineIds ? sql`+${isOne}` : isOne;
}

function between(column: SQLiteColumn, from: number | undefined, to: number | undefined): SQL | undefined {
  return and(from === undefined ? undefined : gte(column, from), to === undefined ? undefined : lt(column, to));
}
