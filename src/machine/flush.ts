import { and, eq, getTableColumns, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { getTableConfig, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { OBJECT_MS, within } from "../core/load.ts";
import { type Db, openDb } from "../db/client.ts";
import { inList } from "../db/conditions.ts";
import { isRefusal, rootOf } from "../db/errors.ts";
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
import { wake } from "../events/queues.ts";
import type { Identity } from "./configuration.ts";
import { healthObject } from "./health-object.ts";
import { endFlush, failFlush, nextRevision, nextRows, park, removeSent, saveTold, told } from "./outbox.ts";
import type { ProjectionRow } from "./projection-rows.ts";
import type { RunRow } from "./rows.ts";
import type { MachineStorage } from "./storage.ts";

type Statement = BatchItem<"sqlite">;

/** What is sent to D1 together. */
export interface Flush {
  identity: Identity;
  now: number;
  /** The number of the flush. */
  revision: number;
  rows: ProjectionRow[];
  isConfigurationNew: boolean;
  isHeardNew: boolean;
  /** How often something urgent was noted before it. */
  urgencies: number;
}

/** Begins a flush; null when there is nothing to tell. Runs inside a transaction: it is stored with the rows that were made for it. */
export function beginFlush(storage: MachineStorage, identity: Identity, now: number): Flush | null {
  const rows = nextRows(storage);
  const known = told(storage);
  const isConfigurationNew = identity.configVersion !== known.configVersion;
  const isHeardNew = !known.isHeard && storage.events.newestAt() !== null;
  const isParkedNew = storage.countParked() !== known.parkedRows;
  if (rows.length === 0 && !isConfigurationNew && !isHeardNew && !isParkedNew) return null;
  const { urgencies } = storage;
  return { identity, now, revision: nextRevision(storage, now), rows, isConfigurationNew, isHeardNew, urgencies };
}

/**
 * Sends rows of the outbox to D1, in one batch if D1 takes them all. Sending a row twice is harmless: D1 keeps the newer revision.
 *
 * If D1 refuses a row, that row is parked and the others are sent: the batch is halved until each refused row is alone.
 * @returns the bookmark at which D1 has what was sent. Null when D1 failed, which is logged: what it did not confirm stays in the outbox
 */
export async function sendFlush(storage: MachineStorage, env: Env, flush: Flush): Promise<string | null> {
  const { identity, now, revision, rows, isConfigurationNew, isHeardNew } = flush;
  const { machineId, configVersion } = identity;
  const db = openDb(env);
  const thisMachine = eq(machines.id, machineId);
  const configuredVersion = sql`max(${machines.configuredVersion}, ${configVersion})`;
  const aboutMachine = [
    ...(isConfigurationNew ? [db.update(machines).set({ configuredVersion }).where(thisMachine)] : []),
    ...(isHeardNew ? [db.update(machines).set({ heardAt: now }).where(thisMachine)] : []),
  ];
  let hasNews = rows.some(({ kind }) => kind === "event" || kind === "condition");
  const send = async (part: readonly ProjectionRow[], also: readonly Statement[]): Promise<void> => {
    const [first, ...others] = [...statementsFor(db, part, { machineId, revision, now }), ...also];
    if (!first) return;
    try {
      const results: readonly unknown[] = await db.batch([first, ...others]);
      // Of all statements, those that store events return rows.
      hasNews ||= results.some((result) => Array.isArray(result) && result.length > 0);
    } catch (error) {
      const [row, ...more] = part;
      if (!isRefusal(error) || !row) throw error;
      if (more.length > 0) {
        const half = Math.ceil(part.length / 2);
        await send(part.slice(0, half), []);
        await send(part.slice(half), also);
        return;
      }
      parkRow(storage, machineId, row, rootOf(error as Error).message, now);
      await send([], also);
      return;
    }
    storage.transaction(() => removeSent(storage, part));
  };
  try {
    await send(rows, aboutMachine);
    // Events and conditions that nobody is woken for, because this ends here, are found by the cron.
    if (hasNews) await wake(env, [{ queue: "EVENTS", body: { companyId: identity.companyId } }]);
    await reportParked(storage, env, machineId);
  } catch (error) {
    storage.transaction(() => failFlush(storage));
    console.error(JSON.stringify({ event: "flush_failed", machineId, error: String(error) }));
    return null;
  }
  storage.transaction(() => {
    endFlush(storage, flush.urgencies);
    saveTold(storage, { configVersion, isHeard: told(storage).isHeard || isHeardNew });
  });
  return db.bookmark();
}

function parkRow(storage: MachineStorage, machineId: number, row: ProjectionRow, error: string, now: number): void {
  storage.transaction(() => park(storage, row, error, now));
  const { kind, key } = row;
  console.error(JSON.stringify({ event: "row_parked", machineId, kind, key, error }));
}

/** Tells the health object how many rows are parked, if that number is another one than it knows. */
async function reportParked(storage: MachineStorage, env: Env, machineId: number): Promise<void> {
  const rows = storage.countParked();
  if (rows === told(storage).parkedRows) return;
  await within(OBJECT_MS, "the health object", healthObject(env).noteParked(machineId, rows));
  saveTold(storage, { parkedRows: rows });
}

function statementsFor(
  db: Db,
  rows: readonly ProjectionRow[],
  { machineId, revision, now }: { machineId: number; revision: number; now: number },
): Statement[] {
  const ofMachine = { machineId, revision };
  const rosters = rows.filter((row) => row.kind === "roster");
  const operatorRows = rosters.flatMap((row) => (JSON.parse(row.body) as object[]).map((one) => ({ ...one, revision })));
  return [
    ...upsert(db, shiftRecords, stamped(rows.filter(isKept), "record", revision)),
    ...deleteOlder(db, shiftRecords, shiftRecords.startAt, rows.filter(isGone("record")), ofMachine),
    ...upsert(db, shiftParts, stamped(rows.filter(isKept), "part", revision)),
    ...deleteOlder(db, shiftParts, shiftParts.startAt, rows.filter(isGone("part")), ofMachine),
    ...upsert(db, stops, stamped(rows, "stop", revision)),
    // In this order, so that whoever is still in a roster is changed and not written anew.
    ...upsert(db, operatorShifts, operatorRows),
    ...deleteOlder(db, operatorShifts, operatorShifts.shiftStart, rosters, ofMachine),
    ...upsert(db, orderRuns, stamped(rows, "run", revision)),
    ...startOrders(db, rows, now),
    ...addAudit(db, rows),
    ...addEvents(db, rows, now),
    ...upsert(db, alertConditions, stamped(rows, "condition", revision)),
  ];
}

function stamped(rows: readonly ProjectionRow[], kind: ProjectionRow["kind"], revision: number): object[] {
  return rows
    .filter((row) => row.kind === kind)
    .map(({ body, createdAt, updatedAt }) => ({ ...JSON.parse(body), createdAt, updatedAt, revision }));
}

/** A record or part whose body is null is to be deleted. */
function isKept({ body }: ProjectionRow): boolean {
  return body !== "null";
}

function isGone(kind: ProjectionRow["kind"]): (row: ProjectionRow) => boolean {
  return (row) => row.kind === kind && !isKept(row);
}

/** Deletes the machine's older rows that start when rows of the projection do, whose keys are that time. */
function deleteOlder(
  db: Db,
  table: typeof shiftRecords | typeof shiftParts | typeof operatorShifts,
  start: SQLiteColumn,
  rows: readonly ProjectionRow[],
  { machineId, revision }: { machineId: number; revision: number },
): Statement[] {
  if (rows.length === 0) return [];
  const starts = rows.map(({ key }) => Number(key));
  return [db.delete(table).where(and(eq(table.machineId, machineId), lt(table.revision, revision), inList(start, starts)))];
}

function addAudit(db: Db, rows: readonly ProjectionRow[]): Statement[] {
  const entries = rows.filter((row) => row.kind === "audit").map((row) => JSON.parse(row.body) as typeof audit.$inferInsert);
  return entries.map((entry) => db.insert(audit).values(entry).onConflictDoNothing());
}

function addEvents(db: Db, rows: readonly ProjectionRow[], now: number): Statement[] {
  const told = rows.filter((row) => row.kind === "event").map((row) => JSON.parse(row.body) as NewEvent);
  return told.length > 0 ? [insertEvents(db, told, now)] : [];
}

/** A waiting order is in progress once something was made for it. */
function startOrders(db: Db, rows: readonly ProjectionRow[], now: number): Statement[] {
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
