import { and, eq, getTableColumns, inArray, isNull, lt, not, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { getTableConfig, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { storedEntry } from "../../core/audit-entries.ts";
import type { AuditRow } from "../../db/audit-row.ts";
import type { CompanyDb } from "../../db/client.ts";
import { inList } from "../../db/conditions.ts";
import { fiveMinutesText } from "../../db/five-minutes.ts";
import { jsonRows } from "../../db/json-rows.ts";
import { endRecalculation } from "../../db/recalculating.ts";
import {
  alertConditions,
  audit,
  corrections,
  deletedRuns,
  eventWithdrawals,
  heldEntries,
  hoursOutsideShifts,
  machines,
  operatorShifts,
  orderRuns,
  orphanedEdits,
  recalculationMachines,
  shiftParts,
  shiftRecords,
  shiftRevisions,
  stops,
  workOrders,
} from "../../db/schema.ts";
import { type Stop, slimOperatorShift, slimPart, slimRecord, slimStop } from "../../db/slim-rows.ts";
import type { NewEvent } from "../../events/event.ts";
import { insertEvents, insertOrderEvents } from "../../events/queries.ts";
import type { AskedProgress } from "../ledger/asked-recalculations.ts";
import type { ProjectionRow } from "./projection-rows.ts";
import type { OperatorShiftRow, PartRow, RecordRow, RunRow } from "./published-rows.ts";
import { beginHistory, type EndedRow, keepReplaced, ofShift, recordedNow, recordedOf } from "./replaced-rows.ts";

// The SQL statements of flushes. Nothing here depends on a machine's object, so that one batch can contain the rows of many machines.

type Statement = BatchItem<"sqlite">;
type Row = Pick<ProjectionRow, "kind" | "key" | "body" | "createdAt" | "updatedAt">;

/** The changes to a machine's own row in D1. */
export interface MachineNews {
  /** The version of the set-up that its object follows. */
  configuredVersion?: number;
  /** When its object is found to have events, epoch ms. Missing: D1 knows already, or there are none. */
  heardAt?: number;
  /** The time whose numbers are being recalculated, both ends included; null: none. Missing: D1 knows. */
  recalculated?: { from: number; until: number } | null;
  /** The last flush of a version that kept what it replaced; null: there was none. Missing: the flush before was one. */
  keptTo?: number | null;
  /** What is new of recalculations that people asked for. Missing: nothing. */
  asked?: readonly AskedProgress[];
}

/** The rows that one flush of a machine sends to D1. */
export interface SentRows extends MachineNews {
  machineId: number;
  /** The number of the flush. Rows in D1 that are from a later flush stay as they are. */
  revision: number;
  rows: readonly Row[];
}

/**
 * Returns the statements that write the rows of flushes to D1, of one machine or of many; none if there is nothing to write. As one batch they
 * have the same result as the flushes one after the other. They may be repeated or late: rows in D1 that are from a later flush stay as they
 * are. The exception is a row that a later flush deleted: it comes back, because nothing records the deletion. Runs of orders that were deleted for
 * their age do not come back.
 * @param now the time for rows that have none of their own, such as the start of an order
 */
export function statementsFor(db: CompanyDb, flushes: readonly SentRows[], now: number): Statement[] {
  const rows = flushes.flatMap((flush) => flush.rows);
  const isEnded = endedAt(flushes, now);
  const records = stamped<RecordRow & Stamped>(flushes, "record").map((row) => ({ ...slimRecord(row), ...isEnded(row) }));
  const parts = stamped<PartRow & Stamped>(flushes, "part").map((row) => ({ ...storedPart(row), ...isEnded(row) }));
  const slices = stamped<Stop & Stamped>(flushes, "stop").map((row) => ({ ...slimStop(row), ...isEnded(row) }));
  const operators = flushes.flatMap(operatorRows).map((row) => ({ ...slimOperatorShift(row), ...isEnded(row) }));
  return [
    ...flushes.flatMap(({ machineId, keptTo }) => (keptTo === undefined ? [] : beginHistory(db, machineId, keptTo))),
    ...keepReplaced(db, {
      records: [...records.filter(hasEnded), ...flushes.flatMap((flush) => goneRows(flush, "record"))],
      parts: [...parts.filter(hasEnded), ...flushes.flatMap((flush) => goneRows(flush, "part"))],
      stops: slices.filter(hasEnded),
      rosters: flushes.flatMap(rostersOf).filter((roster) => hasEnded(isEnded(roster))),
      revisions: stamped<EndedRow>(flushes, "revision"),
    }),
    ...upsert(db, shiftRecords, records),
    ...flushes.flatMap((flush) => deleteOlder(db, shiftRecords, shiftRecords.startAt, flush, isGone("record"))),
    ...upsert(db, shiftParts, parts),
    ...flushes.flatMap((flush) => deleteOlder(db, shiftParts, shiftParts.startAt, flush, isGone("part"))),
    ...upsert(db, stops, slices),
    // In this order, so that rows of operators who are still in the roster are updated instead of inserted again.
    ...upsert(db, operatorShifts, operators),
    ...flushes.flatMap((flush) => deleteOlder(db, operatorShifts, operatorShifts.shiftStart, flush, isRoster)),
    ...upsert(db, shiftRevisions, stamped(flushes, "revision")),
    ...upsert(db, orderRuns, stamped(flushes, "run"), isNotDeleted),
    ...upsert(db, hoursOutsideShifts, stamped(flushes, "outside")),
    ...flushes.flatMap((flush) => deleteOlder(db, hoursOutsideShifts, hoursOutsideShifts.startAt, flush, isGone("outside"))),
    ...upsert(db, corrections, stamped(flushes, "correction")),
    ...upsert(db, eventWithdrawals, stamped(flushes, "withdrawal")),
    ...startOrders(db, rows, now),
    ...addAudit(db, rows),
    ...addEvents(db, rows, now),
    ...upsert(db, alertConditions, stamped(flushes, "condition")),
    ...upsert(db, heldEntries, stamped(flushes, "held")),
    ...flushes.flatMap((flush) => deleteOlder(db, heldEntries, heldEntries.id, flush, isGone("held"))),
    ...upsert(db, orphanedEdits, stamped(flushes, "orphan")),
    ...flushes.flatMap((flush) => deleteOlder(db, orphanedEdits, orphanedEdits.id, flush, isGone("orphan"))),
    ...flushes.flatMap((flush) => updateMachine(db, flush)),
    ...flushes.flatMap((flush) => updateRecalculations(db, flush, now)),
  ];
}

/** True for a run whose units are not in the total of deleted runs yet. */
const isNotDeleted = sql`NOT EXISTS (SELECT 1 FROM ${deletedRuns} WHERE ${deletedRuns.machineId} = value->>'machineId'
  AND ${deletedRuns.lastEndAt} > value->>'startAt')`;

/** Records without corrections do not say so. */
const noCorrections = { correctedTotal: null, correctedDefects: null };
/** Members that rows which were computed by an earlier version of the service do not have. */
const addedSince = { unitsWithoutTime: 0, correctOutsideShifts: 0, lineId: null, day: null, hourlyRate: null, ...noCorrections };

/** What the flush adds to rows. */
interface Stamped {
  machineId: number;
  revision: number;
  updatedAt: number;
}

/** The rows of a kind to insert or update. */
function stamped<Content extends object>(flushes: readonly SentRows[], kind: ProjectionRow["kind"]): Content[] {
  return flushes.flatMap(({ revision, rows }) =>
    rows
      .filter((row) => row.kind === kind && row.body !== "null")
      .map(({ body, createdAt, updatedAt }) => ({ ...addedSince, ...JSON.parse(body), createdAt, updatedAt, revision })),
  );
}

interface OfShift {
  machineId: number;
  /** Of a record. */
  startAt?: number;
  endAt?: number | null;
  openBucket?: string | null | undefined;
  /** Of other rows. */
  shiftStart?: number;
  shiftEnd?: number;
}

/** Returns what marks rows of shifts that have ended at `now`, or that were closed once and are revised: one may be extended after its end. */
function endedAt(flushes: readonly SentRows[], now: number): (row: OfShift) => { isEnded?: true } {
  const revised = stamped<{ machineId: number; shiftStart: number }>(flushes, "revision");
  const keys = new Set(revised.map(({ machineId, shiftStart }) => `${machineId} ${shiftStart}`));
  return ({ machineId, shiftStart, shiftEnd, ...record }) => {
    // Of a record, its own times are those of the shift. A machine that is taken out of service ends its shift early.
    const end = shiftEnd ?? (record.openBucket === null ? now : record.endAt) ?? now;
    return end <= now || keys.has(`${machineId} ${shiftStart ?? record.startAt}`) ? { isEnded: true } : {};
  };
}

function hasEnded({ isEnded }: { isEnded?: true }): boolean {
  return isEnded === true;
}

/** The rows of a kind that are to be deleted, by their keys. */
function goneRows({ machineId, revision, rows }: SentRows, kind: "record" | "part"): EndedRow[] {
  return rows.filter(isGone(kind)).map(({ key }) => ({ machineId, revision, startAt: Number(key), isGone: true }));
}

/** The rosters with their operators by id. */
function rostersOf(flush: SentRows): (EndedRow & OfShift)[] {
  const { machineId, revision, rows } = flush;
  const operators = operatorRows(flush);
  return rows.filter(isRoster).map(({ key }) => {
    const shiftStart = Number(key);
    const own = operators.filter((one) => one.shiftStart === shiftStart);
    const by = Object.fromEntries(own.map((one) => [one.operatorId, slimOperatorShift(one)]));
    // An empty one does not say when its shift ends.
    return { machineId, revision, shiftStart, ...(own[0] && { shiftEnd: own[0].shiftEnd }), by };
  });
}

function storedPart({ workOrderId, ...row }: PartRow) {
  return { ...slimPart(row), fiveMinutes: fiveMinutesText(row.fiveMinutes), workOrderNumber: workOrderId };
}

/** The rows of the operators: one row of the projection contains all operators of a shift. */
function operatorRows({ revision, rows }: SentRows) {
  return rows
    .filter(isRoster)
    .flatMap(({ body }) => (JSON.parse(body) as OperatorShiftRow[]).map((one) => ({ ...addedSince, ...one, revision })));
}

function isRoster({ kind }: Row): boolean {
  return kind === "roster";
}

/** Returns a test for the rows to delete: their body is null. */
function isGone(kind: ProjectionRow["kind"]): (row: Row) => boolean {
  return (row) => row.kind === kind && row.body === "null";
}

/** Deletes the rows of earlier flushes that are named by the keys of the selected rows, which are numbers: mostly the times of their starts. */
function deleteOlder(
  db: CompanyDb,
  table:
    | typeof shiftRecords
    | typeof shiftParts
    | typeof operatorShifts
    | typeof hoursOutsideShifts
    | typeof heldEntries
    | typeof orphanedEdits,
  named: SQLiteColumn,
  { machineId, revision, rows }: SentRows,
  isMeant: (row: Row) => boolean,
): Statement[] {
  const keys = rows.filter(isMeant).map(({ key }) => Number(key));
  if (keys.length === 0) return [];
  return [db.delete(table).where(and(eq(table.machineId, machineId), lt(table.revision, revision), inList(named, keys)))];
}

function addAudit(db: CompanyDb, rows: readonly Row[]): Statement[] {
  const entries = rows.filter((row) => row.kind === "audit").map((row) => JSON.parse(row.body) as AuditRow);
  return entries.map((entry) => db.insert(audit).values(storedEntry(entry)).onConflictDoNothing());
}

function addEvents(db: CompanyDb, rows: readonly Row[], now: number): Statement[] {
  const events = rows.filter((row) => row.kind === "event").map((row) => JSON.parse(row.body) as NewEvent);
  return events.length > 0 ? [insertEvents(db, events, now)] : [];
}

/** A waiting order is in progress once something was made for it. */
function startOrders(db: CompanyDb, rows: readonly Row[], now: number): Statement[] {
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

function updateMachine(db: CompanyDb, { machineId, revision, configuredVersion, heardAt, recalculated }: SentRows): Statement[] {
  const thisMachine = eq(machines.id, machineId);
  const newest = sql`max(${machines.configuredVersion}, ${configuredVersion})`;
  return [
    ...(configuredVersion === undefined ? [] : [db.update(machines).set({ configuredVersion: newest }).where(thisMachine)]),
    ...(heardAt === undefined ? [] : [db.update(machines).set({ heardAt }).where(thisMachine)]),
    ...(recalculated === undefined
      ? []
      : [
          db
            .update(machines)
            .set({
              recalculatingFrom: recalculated?.from ?? null,
              recalculatingTo: recalculated?.until ?? null,
              recalculatingRevision: revision,
            })
            .where(and(thisMachine, sql`ifnull(${machines.recalculatingRevision}, 0) <= ${revision}`)),
        ]),
  ];
}

/** Stores how far the machine has come in recalculations. One that is over stays so; with its last machine it is over as a whole. */
function updateRecalculations(db: CompanyDb, { machineId, asked = [] }: SentRows, now: number): Statement[] {
  const { recalculationId, state } = recalculationMachines;
  const isOver = inArray(state, ["done", "failed"]);
  return asked.flatMap(({ id, changed, ...progress }) => [
    db
      .update(recalculationMachines)
      .set({ ...progress, changedRecords: changed, updatedAt: now })
      .where(and(eq(recalculationId, id), eq(recalculationMachines.machineId, machineId), not(isOver))),
    ...(progress.state === "done" || progress.state === "failed" ? [endRecalculation(db, id, now)] : []),
  ]);
}

/** Returns one statement for any number of rows, passed as one JSON value with the members of the schema; none for no rows. */
function upsert(
  db: CompanyDb,
  table:
    | typeof shiftRecords
    | typeof shiftParts
    | typeof stops
    | typeof operatorShifts
    | typeof orderRuns
    | typeof hoursOutsideShifts
    | typeof alertConditions
    | typeof heldEntries
    | typeof orphanedEdits
    | typeof shiftRevisions
    | typeof corrections
    | typeof eventWithdrawals,
  rows: readonly object[],
  isWanted?: SQL,
): Statement[] {
  const [sample] = rows;
  if (!sample) return [];
  const columns = Object.entries(getTableColumns(table));
  const [primaryKey] = getTableConfig(table).primaryKeys;
  const target = primaryKey?.columns ?? columns.map(([, column]) => column).filter((column) => column.primary);
  // The columns that identify a row's subject never change. Setting them would rewrite, and bill, each index that contains them.
  const isAbout = (member: string, column: SQLiteColumn) =>
    target.includes(column) || member === "companyId" || member === "machineId" || column === shiftRecords.startAt;
  const updated = columns.filter(
    ([member, column]) => member in sample && !/^created(At|AfterMs)$/.test(member) && !isAbout(member, column),
  );
  const recorded = recordedOf(table, rows.some(hasEnded));
  const set: Record<string, SQL> = Object.fromEntries(
    updated.map(([member, column]) => {
      if (recorded && member === "recordedAfterMs") return [member, recorded.updated];
      const written = sql.raw(`excluded.${column.name}`);
      return [member, ofShift.includes(member) ? sql`iif(excluded.line_id IS NULL, ${column}, ${written})` : written];
    }),
  );
  return [
    db
      .insert(table)
      .select(jsonRows(table, rows, isWanted, { recordedAfterMs: recorded?.inserted, recordedAt: recordedNow }))
      .onConflictDoUpdate({ target, set, setWhere: sql`excluded.revision >= ${table.revision}` }),
  ];
}
