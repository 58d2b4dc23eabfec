import { and, eq, getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { MAX_SHIFT_MS } from "../oee/shifts.ts";
import type { CompanyDb } from "./client.ts";
import { CLOSED_AFTER_MS } from "./closed-shifts.ts";
import { type operatorShifts, reportTimes, type shiftParts, shiftRecords, type stops } from "./schema.ts";

// Reports as they were at an instant. The rows of that time are those that are in force still, and former ones from the tables of the history. Each
// statement reads one of the two sides: a former row is read under the name of its table, so that the same columns and conditions fit both.
//
// Only shifts that were closed for good count. A row of a shift has no time of its own until it is revised, so whether its shift was closed says its
// record alone.

/** The rows of one side as of an instant (epoch ms). */
export interface Side {
  asOf: number;
  /** Whether to read those that were replaced since. */
  isFormer: boolean;
}

/** An instant in the text of a statement: it occurs many times, and D1 allows 100 parameters. */
const at = (instant: number) => sql.raw(String(Math.trunc(instant)));

type KeptTable = typeof shiftRecords | typeof shiftParts | typeof stops | typeof operatorShifts;

/** Both sides of an instant. */
export function sidesOf(asOf: number): readonly [Side, Side] {
  return [
    { asOf, isFormer: false },
    { asOf, isFormer: true },
  ];
}

/** A table of a side, for a FROM; without a side, the table as it is. */
export function tableOf(table: KeptTable, side: Side | undefined): SQL {
  const name = getTableName(table);
  return side?.isFormer ? sql.raw(`${name}_history AS ${name}`) : sql`${table}`;
}

/** The columns of a table that both sides have, in the same order. */
export function columnsOf(table: KeptTable): SQL {
  const columns: SQLiteColumn[] = Object.values(getTableColumns(table));
  return sql.join(
    columns.map((column) => sql`${column}`),
    sql`, `,
  );
}

/** Condition: a row of a side was in force; no condition without a side. */
export function inForce(table: KeptTable, side: Side | undefined): SQL | undefined {
  if (!side) return undefined;
  const name = getTableName(table);
  const since = sql`coalesce(${table.recordedAt}, 0) <= ${at(side.asOf)}`;
  return side.isFormer ? sql`${since} AND ${sql.raw(`${name}.replaced_at`)} > ${at(side.asOf)}` : since;
}

/** Condition: a row of a table exists, or was in force at an instant. */
export function existsAsOf(table: KeptTable, asOf: number | undefined, condition: SQL | undefined): SQL {
  const sides = asOf === undefined ? [undefined] : sidesOf(asOf);
  const found = sides.map(
    (side) => sql`EXISTS (SELECT 1 FROM ${tableOf(table, side)} WHERE ${and(condition, inForce(table, side))})`,
  );
  return sql`(${sql.join(found, sql` OR `)})`;
}

/** Condition: a record of a side was in force, and its shift closed for good. */
export function wasClosed(side: Side): SQL {
  // The second says the same of the column that indexes have.
  const { startAt, endAt, openBucket } = shiftRecords;
  const until = at(side.asOf - CLOSED_AFTER_MS);
  return sql`${openBucket} IS NULL AND ${endAt} <= ${until} AND ${startAt} < ${until} AND ${inForce(shiftRecords, side)}`;
}

/** Condition: the shift of a row was closed for good. For queries that read few rows. */
export function isOfClosed({ machineId, shiftStart }: { machineId: SQLiteColumn; shiftStart: SQLiteColumn }, asOf: number): SQL {
  const records = sidesOf(asOf).map(
    (side) => sql`EXISTS (SELECT 1 FROM ${tableOf(shiftRecords, side)} WHERE ${shiftRecords.machineId} = ${machineId}
      AND ${shiftRecords.startAt} = ${shiftStart} AND ${wasClosed(side)})`,
  );
  return sql`(${sql.join(records, sql` OR `)})`;
}

/** The shifts that a report may contain: of a company, and of machines if they are named, that start in a range. */
export interface ShiftsOf {
  companyId: number;
  machineIds?: readonly number[] | undefined;
  from: number;
  to: number;
}

/**
 * Condition: the shift of a row was closed for good. It looks up the few shifts of which that is not so, once: for queries that read many rows.
 */
export function isNotOfOpen(
  { machineId, shiftStart }: { machineId: SQLiteColumn; shiftStart: SQLiteColumn },
  asOf: number,
  { companyId, machineIds, from, to }: ShiftsOf,
): SQL {
  const [present, former] = sidesOf(asOf);
  const until = at(Math.min(to, asOf - CLOSED_AFTER_MS));
  const record = shiftRecords;
  const isAsked = and(
    machineIds ? sql`+${record.companyId} = ${companyId}` : eq(record.companyId, companyId),
    sql`${record.startAt} >= ${at(from - MAX_SHIFT_MS)} AND ${record.startAt} < ${until}`,
    machineIds && sql`${record.machineId} IN (SELECT value FROM json_each(${JSON.stringify(machineIds)}))`,
  );
  const found = (side: Side, condition: SQL) =>
    sql`SELECT ${record.machineId}, ${record.startAt} FROM ${tableOf(record, side)} WHERE ${isAsked} AND ${condition}`;
  const isPresent = sql`EXISTS (SELECT 1 FROM ${record} AS present WHERE present.id = ${record.id} AND present.open_bucket IS NULL
    AND present.end_at <= ${at(asOf - CLOSED_AFTER_MS)} AND coalesce(present.recorded_at, 0) <= ${at(asOf)})`;
  const open = sql`${found(present, sql`NOT (${wasClosed(present)})`)} UNION ${found(former, sql`NOT ${isPresent}`)}
    EXCEPT ${found(former, wasClosed(former))}`;
  return sql`${shiftStart} < ${until} AND (${machineId}, ${shiftStart}) NOT IN (${open})`;
}

/** The statement that reads since when it is known what reports of companies (undefined: of any) said (epoch ms). */
export function selectKnownFrom(db: CompanyDb, companyIds: readonly number[] | undefined) {
  return db
    .select({ knownFrom: sql<number | null>`max(${reportTimes.knownFrom})`.as("known_from") })
    .from(reportTimes)
    .where(companyIds && sql`${reportTimes.companyId} IN (SELECT value FROM json_each(${JSON.stringify(companyIds)}))`);
}
