import { and, asc, gt, gte, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { CompanyDb } from "../../../db/client.ts";
import { columnsByIndex, lineOfRow } from "../../../db/conditions.ts";
import { lines, machines, shiftParts, shifts } from "../../../db/schema.ts";
import { countsIn } from "../../../db/spread.ts";
import { type ReportRange, searchedTime } from "../../../oee/report-buckets.ts";
import { MAX_SHIFT_MS } from "../../../oee/shifts.ts";
import { HOUR_MS } from "../../../oee/time.ts";
import { openParts, type PartFilter, selectedOpenParts, selectedParts } from "../summary/queries.ts";

export type SlottedPart = Awaited<ReturnType<typeof selectSlottedParts>[0]>[number];

const place = {
  machineId: sql<number>`${shiftParts.machineId}`.as("machine_id"),
  machineName: sql<string>`${machines.name}`.as("machine_name"),
  lineId: sql<number | null>`${lines.id}`.as("line_id"),
  lineName: sql<string | null>`${lines.name}`.as("line_name"),
};
const ofMachine = sql`${machines.id} = ${shiftParts.machineId}`;
const ofLine = sql`${lines.id} = ${lineOfRow(shiftParts)}`;

/** The maximum length of a local hour: where the clock is set back by half an hour. */
const LONGEST_HOUR_MS = 1.5 * HOUR_MS;

/**
 * The statements that read the parts of shifts that may overlap a range, with the production of each 5 minutes: closed parts, and the last
 * parts of running shifts, which may have continued since.
 */
export function selectSlottedParts(db: CompanyDb, filter: PartFilter, range: ReportRange, limit: number) {
  const { start, end } = searchedTime(range);
  const columns = {
    ...place,
    ...columnsByIndex({
      startAt: shiftParts.startAt,
      endAt: shiftParts.endAt,
      shiftEnd: shiftParts.shiftEnd,
      hourStart: shiftParts.hourStart,
      day: shiftParts.day,
      asOf: shiftParts.asOf,
      openBucket: shiftParts.openBucket,
      unitStandardMs: shiftParts.unitStandardMs,
      fiveMinutes: shiftParts.fiveMinutes,
    }),
  };
  const parts = (from: SQLiteTable | SQL) => db.select(columns).from(from).innerJoin(machines, ofMachine).leftJoin(lines, ofLine);
  const inRange = and(
    gt(shiftParts.startAt, start - LONGEST_HOUR_MS),
    lt(shiftParts.startAt, end),
    countsIn({ ...range, start: range.start - LONGEST_HOUR_MS }, shiftParts.startAt, shiftParts.day),
    sql`${shiftParts.openBucket} IS NULL`,
  );
  // A running shift's last part may have begun long ago. The plus rules out the index by start.
  const closed = parts(shiftParts)
    .where(and(selectedParts(filter), inRange))
    .limit(limit);
  const open = parts(openParts).where(and(selectedOpenParts(filter), sql`+${shiftParts.startAt} < ${end}`));
  return [closed, open] as const;
}

/** The statement that sums parts by machine and shift occurrence, for shifts that start in a range or count for its days. */
export function selectShiftSums(db: CompanyDb, filter: PartFilter, range: ReportRange, limit: number) {
  const { start, end } = searchedTime(range);
  const scheduledMs = sql`(${shiftParts.availableMs} + ${shiftParts.nonProgrammedMs})`;
  return db
    .select({
      ...place,
      shiftId: sql<number>`${shiftParts.shiftId}`.as("shift_id"),
      shiftName: sql<string | null>`${shifts.name}`.as("shift_name"),
      shiftStart: shiftParts.shiftStart,
      shiftEnd: shiftParts.shiftEnd,
      totalUnits: sql<number>`sum(${shiftParts.totalUnits})`.as("sum_total"),
      defectUnits: sql<number>`sum(${shiftParts.defectUnits})`.as("sum_defects"),
      scheduledMs: sql<number>`sum(${scheduledMs})`.as("sum_scheduled"),
      targetUnits: sql<number>`total(${scheduledMs} / ${shiftParts.unitStandardMs})`.as("sum_target"),
    })
    .from(shiftParts)
    .innerJoin(machines, ofMachine)
    .leftJoin(lines, ofLine)
    .leftJoin(shifts, sql`${shifts.id} = ${shiftParts.shiftId}`)
    .where(
      and(
        selectedParts(filter),
        // Implied by the conditions on the shift, but uses the index's column.
        gte(shiftParts.startAt, start),
        lt(shiftParts.startAt, end + MAX_SHIFT_MS),
        gte(shiftParts.shiftStart, start),
        lt(shiftParts.shiftStart, end),
        countsIn(range, shiftParts.shiftStart, shiftParts.day),
      ),
    )
    .groupBy(shiftParts.machineId, shiftParts.shiftStart)
    .orderBy(asc(shiftParts.machineId), asc(shiftParts.shiftStart))
    .limit(limit);
}

/** The statement that reads the last parts of running shifts, which have continued since they were written. */
export function selectOpenShifts(db: CompanyDb, filter: PartFilter) {
  return db
    .select(
      columnsByIndex({
        machineId: shiftParts.machineId,
        shiftStart: shiftParts.shiftStart,
        shiftEnd: shiftParts.shiftEnd,
        asOf: shiftParts.asOf,
        openBucket: shiftParts.openBucket,
        unitStandardMs: shiftParts.unitStandardMs,
      }),
    )
    .from(openParts)
    .where(selectedOpenParts(filter));
}
