import { and, eq, type GetColumnData, gte, isNotNull, isNull, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { existsAsOf } from "./as-of.ts";
import { formerLines, machines, operatorShifts, workOrders } from "./schema.ts";

/**
 * `column IN (values)` with the values as one parameter: D1 allows 100 per statement. A single value is compared with `=`, so that an
 * index on the column keeps the rows in order.
 */
export function inList(column: SQLWrapper, values: readonly (number | string)[]): SQL {
  if (values.length === 1) return sql`${column} = ${values[0]}`;
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** Like `inList`; no condition if `values` is undefined. */
export function ifListed(column: SQLWrapper, values: readonly (number | string)[] | undefined): SQL | undefined {
  return values && inList(column, values);
}

/**
 * Rows of the machines that are in one of these lines now, including deleted machines, which keep their line; no condition if `lineIds` is
 * undefined. The unary plus keeps SQLite from looking up the machines one by one, so that it reads the rows in the order of another index.
 */
export function ifInLines(machineId: SQLWrapper, lineIds: readonly number[] | undefined): SQL | undefined {
  if (!lineIds) return undefined;
  return sql`+${machineId} IN (SELECT in_line.id FROM ${machines} AS in_line WHERE ${inList(sql`in_line.line_id`, lineIds)})`;
}

/** A table of rows that keep the line of their machine. */
interface StampedTable {
  machineId: SQLWrapper;
  lineId: SQLWrapper;
}

/** The line of a row: its own, or that of its machine where the row is of a version that did not write it. 0: none. */
export function lineOfRow({ machineId, lineId }: StampedTable): SQL {
  return sql`coalesce(${lineId}, (SELECT coalesce(of_row.unstamped_line_id, of_row.line_id, 0) FROM ${machines} AS of_row WHERE of_row.id = ${machineId}))`;
}

/** Rows of one of these lines; no condition if `lineIds` is undefined. It leaves it to SQLite by which index it finds the rows. */
export function ifOfLines({ machineId, lineId }: StampedTable, lineIds: readonly number[] | undefined): SQL | undefined {
  if (!lineIds) return undefined;
  // The machines are read only if there is a row without a line.
  const unstamped = machinesOfLines(lineIds, inList(sql`coalesce(in_line.unstamped_line_id, in_line.line_id)`, lineIds));
  return sql`iif(${lineId} IS NULL, ${machineId} IN (${unstamped}), ${inList(lineId, lineIds)})`;
}

/**
 * Like `ifOfLines`, but SQLite may look up the machines that are or were in these lines, and then read the rows of each by an index on the machine.
 * For queries that read few of the company's rows, in no particular order.
 */
export function ifOfLinesByMachine(table: StampedTable, lineIds: readonly number[] | undefined): SQL | undefined {
  return lineIds && and(sql`${table.machineId} IN (${machinesOfLines(lineIds, sql`true`)})`, ifOfLines(table, lineIds));
}

/** The machines that are or were in lines, as far as a condition on them (`in_line`) holds. */
function machinesOfLines(lineIds: readonly number[], condition: SQL): SQL {
  return sql`SELECT in_line.id FROM ${machines} AS in_line WHERE ${inList(sql`in_line.line_id`, lineIds)} AND ${condition}
    UNION ALL SELECT in_line.id FROM ${formerLines} CROSS JOIN ${machines} AS in_line ON in_line.id = ${formerLines.machineId}
      WHERE ${inList(formerLines.lineId, lineIds)} AND ${condition}`;
}

/** Rows with the number of one of these work orders; no condition if `ids` is undefined. */
export function ifOfOrders(number: SQLWrapper, ids: readonly string[] | undefined): SQL | undefined {
  return ids && sql`${number} IN (SELECT ${workOrders.number} FROM ${workOrders} WHERE ${inList(workOrders.id, ids)})`;
}

/**
 * Rows of shifts in which one of these operators worked; no condition if `operatorIds` is undefined.
 * @param asOf as it was reported at an instant (epoch ms); undefined: now
 */
export function ifWorked(
  { machineId, shiftStart }: { machineId: SQLWrapper; shiftStart: SQLWrapper },
  operatorIds: readonly number[] | undefined,
  asOf?: number,
): SQL | undefined {
  if (!operatorIds) return undefined;
  const worked = and(
    sql`${operatorShifts.machineId} = ${machineId}`,
    sql`${operatorShifts.shiftStart} = ${shiftStart}`,
    inList(operatorShifts.operatorId, operatorIds),
  );
  return existsAsOf(operatorShifts, asOf, worked);
}

/** `from <= column < to`; an undefined end is not checked. */
export function ifBetween(column: SQLiteColumn, from: number | undefined, to: number | undefined): SQL | undefined {
  return and(from === undefined ? undefined : gte(column, from), to === undefined ? undefined : lt(column, to));
}

/** `column = value`; no condition if `value` is undefined. */
export function ifGiven(column: SQLiteColumn, value: unknown): SQL | undefined {
  return value === undefined ? undefined : eq(column, value);
}

/** `column IS NOT NULL` if it must be present, `column IS NULL` if it must not; no condition if `isPresent` is undefined. */
export function ifPresent(column: SQLiteColumn, isPresent: boolean | undefined): SQL | undefined {
  return isPresent === undefined ? undefined : (isPresent ? isNotNull : isNull)(column);
}

/**
 * A table to read by one of its indexes. Without statistics SQLite takes a clustered table's key instead, even if a condition on the first of
 * its columns alone finds the whole history of a machine or a company. The statement fails if its conditions do not fit the index.
 */
export function byIndex(table: SQLiteTable, name: string): SQL {
  return sql`${table} INDEXED BY ${sql.raw(name)}`;
}

/** The columns of a table that is read by `byIndex`: Drizzle does not know which table that is. */
export function columnsByIndex<T extends Record<string, SQLiteColumn>>(
  columns: T,
): { [K in keyof T]: SQL.Aliased<GetColumnData<T[K]>> } {
  const selected = Object.entries(columns).map(([member, column]) => [member, sql`${column}`.mapWith(column).as(column.name)]);
  return Object.fromEntries(selected);
}

/**
 * Rows in whose texts, or in `more`, each word of a search is found; A to Z are found in either case. No condition if there is no search. It compares
 * row by row, so it belongs beside a condition that an index finds.
 * @param more a condition by which a row has a word that is in none of its own texts
 */
export function ifFound(
  [first, ...others]: readonly [SQLWrapper, ...SQLWrapper[]],
  search: string | undefined,
  more?: (isIn: (text: SQLWrapper) => SQL) => SQL,
): SQL | undefined {
  // No word has a space, so none is found across two texts.
  const all = others.reduce((texts, one) => sql`${texts} || ' ' || ${one}`, sql`${first}`);
  const areFound = (search ?? "").split(/\s+/).flatMap((word) => {
    if (word === "") return [];
    const isIn = (text: SQLWrapper) => sql`instr(lower(${text}), lower(${word})) > 0`;
    return more ? sql`(${isIn(all)} OR ${more(isIn)})` : isIn(all);
  });
  return areFound.length > 0 ? sql.join(areFound, sql` AND `) : undefined;
}
