import { and, eq, getTableColumns, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { getTableConfig, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "../db/client.ts";
import { inList } from "../db/conditions.ts";
import { jsonRows } from "../db/json-rows.ts";
import {
  alertConditions,
  audit,
  machines,
  operatorShifts,
  orderRuns,
  shiftParts,
  shiftRecords,
  stops,
  workOrders,
} from "../db/schema.ts";
import type { NewEvent } from "../events/event.ts";
import { insertEvents, insertOrderEvents } from "../events/queries.ts";
import type { ProjectionRow } from "./projection-rows.ts";
import type { RunRow } from "./rows.ts";

// What flushes send, as statements. Nothing here knows a machine's object, so that one batch can bring D1 the rows of many machines.

type Statement = BatchItem<"sqlite">;
type Row = Pick<ProjectionRow, "kind" | "key" | "body" | "createdAt" | "updatedAt">;

/** What a machine's row in D1 is to say. */
export interface MachineNews {
  /** The version of the set-up that its object follows. */
  configuredVersion?: number;
  /** Its object has events since then, epoch ms. Missing: D1 knows, or there are none. */
  heardAt?: number;
}

/** What D1 is to have of one machine, as of one of its flushes. */
export interface SentRows extends MachineNews {
  machineId: number;
  /** The number of the flush: a row that D1 has of a later one stays. */
  revision: number;
  rows: readonly Row[];
}

/**
 * The statements that bring D1 the rows of flushes, of one machine or of many; none for nothing. In one batch they leave what the flushes one
 * after the other would. They may be sent again, and late: a row that D1 has of a later flush stays. Only a row that a later flush deleted comes
 * back, since nothing of it is left that says so.
 * @param now the time of what has none of its own, such as the start of an order
 */
export function statementsFor(db: Db, flushes: readonly SentRows[], now: number): Statement[] {
  const rows = flushes.flatMap((flush) => flush.rows);
  return [
    ...upsert(db, shiftRecords, stamped(flushes, "record")),
    ...flushes.flatMap((flush) => deleteOlder(db, shiftRecords, shiftRecords.startAt, flush, isGone("record"))),
    ...upsert(db, shiftParts, stamped(flushes, "part")),
    ...flushes.flatMap((flush) => deleteOlder(db, shiftParts, shiftParts.startAt, flush, isGone("part"))),
    ...upsert(db, stops, stamped(flushes, "stop")),
    // In this order, so that whoever is still in a roster is changed and not written anew.
    ...upsert(db, operatorShifts, flushes.flatMap(operatorRows)),
    ...flushes.flatMap((flush) => deleteOlder(db, operatorShifts, operatorShifts.shiftStart, flush, isRoster)),
    ...upsert(db, orderRuns, stamped(flushes, "run")),
    ...startOrders(db, rows, now),
    ...addAudit(db, rows),
    ...addEvents(db, rows, now),
    ...upsert(db, alertConditions, stamped(flushes, "condition")),
    ...flushes.flatMap((flush) => tellMachine(db, flush)),
  ];
}

/** The rows of a kind that are to be kept. */
function stamped(flushes: readonly SentRows[], kind: ProjectionRow["kind"]): object[] {
  return flushes.flatMap(({ revision, rows }) =>
    rows
      .filter((row) => row.kind === kind && row.body !== "null")
      .map(({ body, createdAt, updatedAt }) => ({ ...JSON.parse(body), createdAt, updatedAt, revision })),
  );
}

/** A row of the projection is all operators of a shift. */
function operatorRows({ revision, rows }: SentRows): object[] {
  return rows.filter(isRoster).flatMap(({ body }) => (JSON.parse(body) as object[]).map((one) => ({ ...one, revision })));
}

function isRoster({ kind }: Row): boolean {
  return kind === "roster";
}

/** A record or part whose body is null is to be deleted. */
function isGone(kind: ProjectionRow["kind"]): (row: Row) => boolean {
  return (row) => row.kind === kind && row.body === "null";
}

/** Deletes the machine's older rows that start when some of its rows do, whose keys are that time. */
function deleteOlder(
  db: Db,
  table: typeof shiftRecords | typeof shiftParts | typeof operatorShifts,
  start: SQLiteColumn,
  { machineId, revision, rows }: SentRows,
  isMeant: (row: Row) => boolean,
): Statement[] {
  const starts = rows.filter(isMeant).map(({ key }) => Number(key));
  if (starts.length === 0) return [];
  return [db.delete(table).where(and(eq(table.machineId, machineId), lt(table.revision, revision), inList(start, starts)))];
}

function addAudit(db: Db, rows: readonly Row[]): Statement[] {
  const entries = rows.filter((row) => row.kind === "audit").map((row) => JSON.parse(row.body) as typeof audit.$inferInsert);
  return entries.map((entry) => db.insert(audit).values(entry).onConflictDoNothing());
}

function addEvents(db: Db, rows: readonly Row[], now: number): Statement[] {
  const told = rows.filter((row) => row.kind === "event").map((row) => JSON.parse(row.body) as NewEvent);
  return told.length > 0 ? [insertEvents(db, told, now)] : [];
}

/** A waiting order is in progress once something was made for it. */
function startOrders(db: Db, rows: readonly Row[], now: number): Statement[] {
  const runs = rows.filter((row) => row.kind === "run").map((row) => JSON.parse(row.body) as RunRow);
  const made = runs.filter((run) => run.correct > 0 || run.defects > 0).map((run) => run.workOrderId);
  if (made.length === 0) return [];
  const waiting = and(
    inList(workOrders.id, made),
    inArray(workOrders.status, ["Backlog", "Planned"]),
    isNull(workOrders.deletedAt),
  );
  return [
    insertOrderEvents(db, "work_order.started", waiting, now, { status: "InProgress" }),
    db
      .update(workOrders)
      .set({ status: "InProgress", updatedAt: sql`max(${now}, ${workOrders.updatedAt} + 1)` })
      .where(waiting),
  ];
}

function tellMachine(db: Db, { machineId, configuredVersion, heardAt }: SentRows): Statement[] {
  const thisMachine = eq(machines.id, machineId);
  const newest = sql`max(${machines.configuredVersion}, ${configuredVersion})`;
  return [
    ...(configuredVersion === undefined ? [] : [db.update(machines).set({ configuredVersion: newest }).where(thisMachine)]),
    ...(heardAt === undefined ? [] : [db.update(machines).set({ heardAt }).where(thisMachine)]),
  ];
}

/** One statement for any number of rows, given as one JSON value with the members of the schema; none for no rows. */
function upsert(
  db: Db,
  table:
    | typeof shiftRecords
    | typeof shiftParts
    | typeof stops
    | typeof operatorShifts
    | typeof orderRuns
    | typeof alertConditions,
  rows: readonly object[],
): Statement[] {
  const [sample] = rows;
  if (!sample) return [];
  const columns = Object.entries(getTableColumns(table));
  const [primaryKey] = getTableConfig(table).primaryKeys;
  const target = primaryKey?.columns ?? columns.map(([, column]) => column).filter((column) => column.primary);
  // What a row is about never changes. If it were set, each index that has it would be written again, and paid for.
  const isAbout = (member: string, column: SQLiteColumn) =>
    target.includes(column) || member === "companyId" || member === "machineId" || column === shiftRecords.startAt;
  const updated = columns.filter(([member, column]) => member in sample && member !== "createdAt" && !isAbout(member, column));
  const set: Record<string, SQL> = Object.fromEntries(updated.map(([member, { name }]) => [member, sql.raw(`excluded.${name}`)]));
  return [
    db
      .insert(table)
      .select(jsonRows(table, rows))
      .onConflictDoUpdate({ target, set, setWhere: sql`excluded.revision >= ${table.revision}` }),
  ];
}
