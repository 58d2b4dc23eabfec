import { and, eq, gte, isNotNull, isNull, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { machines, operatorShifts } from "./schema.ts";

/**
 * `column IN (values)` with the values as one parameter: D1 allows 100 per statement. A single value is compared with `=`, so that an
 * index on the column keeps the rows in order.
 */
export function inList(column: SQLWrapper, values: readonly (number | string)[]): SQL {
  if (values.length === 1) return sql`${column} = ${values[0]}`;
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** Like `inList`; no condition if there is no list. */
export function ifListed(column: SQLWrapper, values: readonly (number | string)[] | undefined): SQL | undefined {
  return values && inList(column, values);
}

/**
 * Rows of the machines that are in one of these lines now; no condition if there is no list. Of deleted machines, too: they keep their line.
 * The plus keeps SQLite from looking the machines up one by one: rows are to be read in the order of another index.
 */
export function ifInLines(machineId: SQLWrapper, lineIds: readonly number[] | undefined): SQL | undefined {
  if (!lineIds) return undefined;
  return sql`+${machineId} IN (SELECT in_line.id FROM ${machines} AS in_line WHERE ${inList(sql`in_line.line_id`, lineIds)})`;
}

/**
 * Like `ifInLines`, of the lines of one company: SQLite may look its machines up, and then read the rows of each by an index on the machine.
 * For what reads few of the company's rows in no order of their own.
 */
export function ifInLinesOf(companyId: number, machineId: SQLWrapper, lineIds: readonly number[] | undefined): SQL | undefined {
  if (!lineIds) return undefined;
  const isIn = and(eq(machines.companyId, companyId), inList(machines.lineId, lineIds));
  return sql`${machineId} IN (SELECT ${machines.id} FROM ${machines} WHERE ${isIn})`;
}

/** Rows of shifts in which one of these operators worked; no condition if there is no list. */
export function ifWorked(
  { machineId, shiftStart }: { machineId: SQLWrapper; shiftStart: SQLWrapper },
  operatorIds: readonly number[] | undefined,
): SQL | undefined {
  if (!operatorIds) return undefined;
  const worked = and(
    sql`${operatorShifts.machineId} = ${machineId}`,
    sql`${operatorShifts.shiftStart} = ${shiftStart}`,
    inList(operatorShifts.operatorId, operatorIds),
  );
  return sql`EXISTS (SELECT 1 FROM ${operatorShifts} WHERE ${worked})`;
}

/** `from <= column < to`; each end only if it is given. */
export function ifBetween(column: SQLiteColumn, from: number | undefined, to: number | undefined): SQL | undefined {
  return and(from === undefined ? undefined : gte(column, from), to === undefined ? undefined : lt(column, to));
}

/** `column = value`; no condition if there is no value. */
export function ifGiven(column: SQLiteColumn, value: unknown): SQL | undefined {
  return value === undefined ? undefined : eq(column, value);
}

/** `column IS NOT NULL` if it must be present, `column IS NULL` if it must not; no condition if `isPresent` is undefined. */
export function ifPresent(column: SQLiteColumn, isPresent: boolean | undefined): SQL | undefined {
  return isPresent === undefined ? undefined : (isPresent ? isNotNull : isNull)(column);
}
