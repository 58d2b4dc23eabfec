import { eq, getTableColumns, getTableName, gt, isNotNull, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { CompanyDb } from "../../db/client.ts";
import { CLOSED_AFTER_MS } from "../../db/closed-shifts.ts";
import { storedValue } from "../../db/json-rows.ts";
import {
  machines,
  operatorShifts,
  operatorShiftsHistory,
  reportTimes,
  shiftParts,
  shiftPartsHistory,
  shiftRecords,
  shiftRecordsHistory,
  stops,
  stopsHistory,
} from "../../db/schema.ts";

// Before a batch changes or deletes a row of a shift that is closed for good, the row is copied to the table of what reports said before. The database
// decides which rows those are, because only it knows what reports say: a flush that is repeated finds nothing that differs. Its clock is the one that
// counts, so that a flush that comes late changes nothing that reports have said in the meantime.

type Statement = BatchItem<"sqlite">;

/**
 * The four tables: the history of each, the members that identify rows in a batch, those of its key, and those from whose sum `recorded_at` is stored as
 * the distance.
 */
const kept = {
  records: {
    ...{ table: shiftRecords, history: shiftRecordsHistory },
    ...{ by: ["machineId", "startAt"], key: ["id"], since: ["updatedAt"] },
  },
  parts: {
    ...{ table: shiftParts, history: shiftPartsHistory },
    ...{ by: ["machineId", "startAt"], key: ["machineId", "startAt"], since: ["startAt", "durationMs"] },
  },
  stops: {
    ...{ table: stops, history: stopsHistory },
    ...{ by: ["id", "shiftStart"], key: ["id", "shiftStart"], since: ["shiftStart", "updatedAfterMs"] },
  },
  rosters: {
    ...{ table: operatorShifts, history: operatorShiftsHistory },
    ...{ by: ["machineId", "shiftStart"], key: ["machineId", "shiftStart", "operatorId"], since: ["shiftEnd"] },
  },
} as const;
type Kept = keyof typeof kept;
const names = Object.keys(kept) as Kept[];
type Columns = Record<string, SQLiteColumn>;

/** The columns that no report of closed shifts shows. That a stop ended in a later shift does not change its slice in this one. */
const unpublished = new Set<SQLiteColumn>([
  ...names.flatMap((name) => [kept[name].table.revision, kept[name].table.recordedAfterMs]),
  ...[shiftRecords.asOf, shiftRecords.createdAt, shiftRecords.updatedAt],
  ...[stops.durationMs, stops.createdAfterMs, stops.updatedAfterMs],
]);
/** The columns that say what held when the shift began. A row without a line does not know, and leaves them as they are. */
export const ofShift: readonly string[] = ["lineId", "dayOffset", "hourlyRate"];

/** A row of a batch that belongs to a shift that has ended, with the members of its table. */
export interface EndedRow {
  machineId: number;
  /** Whether it is to be deleted. */
  isGone?: boolean;
  [member: string]: unknown;
}
/** The rows of a batch that belong to shifts that have ended. A roster is one row with its operators by id: `by`. */
export type EndedRows = Readonly<Record<Kept | "revisions", readonly EndedRow[]>>;

/** The statements that keep what a batch replaces, which come before all others of it; none if no shift of its rows has ended. */
export function keepReplaced(db: CompanyDb, ended: EndedRows): Statement[] {
  const machineIds = new Set(Object.values(ended).flatMap((rows) => rows.map(({ machineId }) => machineId)));
  if (machineIds.size === 0) return [];
  return [
    raiseTimes(db, [...machineIds], false),
    ...names.flatMap((name) => (ended[name].length > 0 ? [keepRows(db, name, ended[name])] : [])),
  ];
}

/**
 * The statements for the first flush after another version of the service sent some, which did not keep what they replaced: nobody knows what reports
 * said before now.
 * @param keptTo the last flush of a version that did
 */
export function beginHistory(db: CompanyDb, machineId: number, keptTo: number | null): Statement[] {
  // What that version wrote has the time of what it replaced.
  const forget = ({ table }: (typeof kept)[Kept], after: number) =>
    db
      .update(table)
      .set({ recordedAfterMs: null })
      .where(sql`${eq(table.machineId, machineId)} AND ${gt(table.revision, after)} AND ${isNotNull(table.recordedAfterMs)}`);
  return [raiseTimes(db, [machineId], true), ...(keptTo === null ? [] : names.map((name) => forget(kept[name], keptTo)))];
}

/** Sets the time of the batch for the companies of machines: that of the database, but later than that of every batch before. */
function raiseTimes(db: CompanyDb, machineIds: readonly number[], isKnownFromNow: boolean): Statement {
  const now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
  const next = sql`max(excluded.recorded_at, ${reportTimes.recordedAt} + 1)`;
  const ofCompanies = sql`SELECT DISTINCT ${machines.companyId}, ${sql.raw(`${now}, ${isKnownFromNow ? now : 0}`)} FROM ${machines}
    WHERE ${machines.id} IN (SELECT value FROM json_each(${JSON.stringify(machineIds)}))`;
  return db
    .insert(reportTimes)
    .select(ofCompanies)
    .onConflictDoUpdate({
      target: reportTimes.companyId,
      set: { recordedAt: next, ...(isKnownFromNow && { knownFrom: next }) },
    });
}

/** The time of the batch for a company. */
const timeOf = (companyId: string) => `(SELECT recorded_at FROM report_times WHERE company_id = ${companyId})`;

/** Whether a shift record is closed for good. */
const isClosed = (record: string, at: string) =>
  `${record}.open_bucket IS NULL AND ${record}.end_at + ${CLOSED_AFTER_MS} <= ${at}`;

function keepRows(db: CompanyDb, name: Kept, rows: readonly EndedRow[]): Statement {
  const { table, history, by } = kept[name];
  const columns: Columns = getTableColumns(table);
  const stored = Object.entries(columns).filter(([, { generated }]) => generated === undefined);
  const sentValue = (member: string) =>
    name === "rosters" ? `value->>('$.by."' || old.operator_id || '".${member}')` : storedValue(member);
  const differs = stored
    .filter(([member, column]) => !unpublished.has(column) && !(by as readonly string[]).includes(member))
    .map(([member, column]) => {
      const isOther = `old.${column.name} IS NOT ${sentValue(member)}`;
      return ofShift.includes(member) ? `(${sentValue("lineId")} IS NOT NULL AND ${isOther})` : isOther;
    });
  const isSame = by.map((member) => `old.${columns[member]?.name} = value->>'${member}'`);
  const isOfClosed =
    name === "records"
      ? isClosed("old", "times.recorded_at")
      : `EXISTS (SELECT 1 FROM shift_records AS of_row WHERE of_row.machine_id = old.machine_id AND of_row.start_at = old.shift_start
          AND ${isClosed("of_row", "times.recorded_at")})`;
  const from = sql`json_each(${JSON.stringify(rows)}) CROSS JOIN ${table} AS old ON ${sql.raw(isSame.join(" AND "))}
    CROSS JOIN report_times AS times ON times.company_id = old.company_id`;
  const isReplaced = `old.revision <= value->>'revision' AND ${isOfClosed} AND (value->>'isGone' OR ${differs.join(" OR ")})`;
  const values = stored.map(([, column]) => `old.${column.name}`);
  return db
    .insert(history)
    .select(sql`SELECT ${sql.raw(values.join(", "))}, times.recorded_at FROM ${from} WHERE ${sql.raw(isReplaced)}`)
    .onConflictDoNothing();
}

/** What `recorded_at` of a row is to be, as its distance from another instant of the row. */
interface Recorded {
  /** Of a new row: an expression on the `value` of `jsonRows`. */
  inserted: string;
  /** Of a row that exists. */
  updated: SQL;
}

/**
 * How rows of a table get their `recorded_at`, after `keepReplaced` in the same batch; null: the table has none. A record has it from its closing on.
 * Other rows have none until they are revised: they are as old as the closing of their shift.
 * @param hasEnded whether the batch has rows of shifts that have ended, which have `isEnded`
 */
export function recordedOf(table: object, hasEnded: boolean): Recorded | null {
  const name = names.find((one) => kept[one].table === table);
  if (!name) return null;
  const own = getTableName(kept[name].table);
  const columns: Columns = getTableColumns(kept[name].table);
  const columnOf = (member: string) => columns[member]?.name;
  const sinceSent = kept[name].since.map((member) => `value->>'${member}'`).join(" + ");
  const sinceStored = kept[name].since.map((member) => `excluded.${columnOf(member)}`).join(" + ");
  const unchanged = `${own}.recorded_at - (${sinceStored})`;
  if (!hasEnded) return { inserted: "NULL", updated: sql.raw(unchanged) };
  const [now, nowOfStored] = [timeOf("value->>'companyId'"), timeOf("excluded.company_id")];
  const isKept = `EXISTS (SELECT 1 FROM ${own}_history AS former WHERE former.replaced_at = ${nowOfStored} AND ${kept[name].key
    .map((member) => `former.${columnOf(member)} = excluded.${columnOf(member)}`)
    .join(" AND ")})`;
  const revised = (isRevised: string) => sql.raw(`iif(${isRevised}, ${nowOfStored} - (${sinceStored}), ${unchanged})`);
  if (name === "records") {
    const isClosing = `(excluded.open_bucket IS NULL AND NOT (${isClosed(own, nowOfStored)}))`;
    return {
      inserted: `iif(value->>'isEnded' AND value->>'openBucket' IS NULL, ${now} - (${sinceSent}), NULL)`,
      updated: revised(`${isClosing} OR ${isKept}`),
    };
  }
  const shiftStart = name === "parts" ? "value->>'startAt' - value->>'intoShiftMs'" : "value->>'shiftStart'";
  // The record was written before. If this batch closed it, the new row is as old as the closing.
  const wasClosed = `EXISTS (SELECT 1 FROM shift_records AS of_row WHERE of_row.machine_id = value->>'machineId' AND of_row.start_at = ${shiftStart}
    AND ${isClosed("of_row", now)} AND (of_row.recorded_at IS NULL OR of_row.recorded_at < ${now} OR EXISTS (SELECT 1
      FROM shift_records_history AS former WHERE former.id = of_row.id AND former.replaced_at = ${now})))`;
  return { inserted: `iif(value->>'isEnded' AND ${wasClosed}, ${now} - (${sinceSent}), NULL)`, updated: revised(isKept) };
}

/** The time of the batch, as an expression on the `value` of `jsonRows`. */
export const recordedNow = timeOf("value->>'companyId'");
