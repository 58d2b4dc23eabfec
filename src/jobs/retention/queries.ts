import { and, eq, getTableColumns, isNotNull, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { ArchivedKind, ArchivedPart } from "../../core/archive/parts.ts";
import { type CompanyKind, type Due, LEAST_AUDIT_DAYS } from "../../core/retention.ts";
import type { AnyDb, CompanyDb } from "../../db/client.ts";
import {
  actions,
  alertConditions,
  archivedDays,
  audit,
  companies,
  corrections,
  deletedRuns,
  deletedRunTotals,
  events,
  handOvers,
  helpCalls,
  hoursOutsideShifts,
  incidents,
  machines,
  messages,
  operatorShiftsHistory,
  orderRuns,
  orphanedEdits,
  retention,
  retentionRuns,
  shiftPartsHistory,
  shiftRecords,
  shiftRecordsHistory,
  shiftRevisions,
  stopClassifications,
  stops,
  stopsHistory,
  webhookAttempts,
  webhookDeliveries,
  webhookSubscriptions,
  workOrderTargets,
} from "../../db/schema.ts";
import { dispatchedSeqOf } from "../../events/queries.ts";
import { maxOf } from "../../oee/extremes.ts";
import { DAY_MS, HOUR_MS } from "../../oee/time.ts";

/** Rows of a table that are found by an index on a time (epoch ms), or on the company and a time. */
export interface AgedRows {
  table: SQLiteTable;
  /** The column of the company, if the index begins with it. */
  companyId?: SQLiteColumn;
  time: SQLiteColumn;
  /** What the index has after the time, so that each row has a place of its own. Default: the rowid, which every index ends with. */
  tie?: readonly SQLWrapper[];
  /** The time from which the period counts, if it is not `time`: never before it. */
  endAt?: SQLiteColumn;
  /** The condition for rows that may be deleted at all. */
  of?: SQL;
  /** The condition for rows that must not wait for others, which are deleted first. */
  after?: SQL;
  /** The most rows that one statement deletes. Default: `ROWS_PER_STEP`. */
  perStep?: number;
  /** Deletes the oldest rows of a company in a way of their own, up to `perStep`, and returns how many. */
  deleteStep?(db: CompanyDb, until: number, companyId: number): Promise<number>;
  /** The query for when the oldest row of a company is from (`at`, or null), if no index of the table finds it. */
  oldestOf?(companyId: number): SQL;
}

/** The most rows that one statement deletes. */
export const ROWS_PER_STEP = 2_000;

/** Deleting an event also deletes its deliveries, one for each subscription. */
export const EVENTS_PER_STEP = ROWS_PER_STEP / 4;

/** The totals that a run is added to are rows, too. */
const RUNS_PER_STEP = ROWS_PER_STEP / 2;

/** The rows of each kind of a company. */
export const agedRows: Readonly<Record<CompanyKind, AgedRows & { companyId: SQLiteColumn }>> = {
  audit: {
    ...{ table: audit, companyId: audit.companyId, time: audit.at, tie: [audit.nr] },
    // By the clock of the database, as its trigger.
    of: sql`${audit.at} <= (unixepoch() - ${LEAST_AUDIT_DAYS * 86_400}) * 1000`,
  },
  archivedAudit: {
    ...{ table: archivedDays, companyId: archivedDays.companyId, time: archivedDays.day, tie: [archivedDays.part] },
    of: eq(archivedDays.kind, "audit"),
  },
  // An open call has no answer time, and is kept regardless of its age.
  helpCalls: {
    ...{ table: helpCalls, companyId: helpCalls.companyId, time: helpCalls.answeredAt, tie: [helpCalls.createdAt, helpCalls.id] },
    of: isNotNull(helpCalls.answeredAt),
  },
  events: {
    ...{ table: events, companyId: events.companyId, time: events.seq, tie: [], endAt: events.createdAt },
    ...{ perStep: EVENTS_PER_STEP, deleteStep: deleteEvents },
  },
  archivedEvents: {
    ...{ table: archivedDays, companyId: archivedDays.companyId, time: archivedDays.day, tie: [archivedDays.part] },
    of: eq(archivedDays.kind, "events"),
  },
  messages: { table: messages, companyId: messages.companyId, time: messages.createdAt, tie: [messages.id] },
  incidents: {
    ...{ table: incidents, companyId: incidents.companyId, time: incidents.openedAt, tie: [incidents.id] },
    of: isNotNull(incidents.resolvedAt),
  },
  alertConditions: {
    ...{ table: alertConditions, companyId: alertConditions.companyId, time: alertConditions.updatedAt },
    of: isNotNull(alertConditions.until),
  },
  shiftRecords: {
    ...{ table: shiftRecords, companyId: shiftRecords.companyId, time: shiftRecords.startAt, tie: [shiftRecords.id] },
    // Deleting a record also deletes its parts and its operators' shares, about ten rows.
    ...{ endAt: shiftRecords.endAt, perStep: ROWS_PER_STEP / 10 },
  },
  stops: {
    ...{ table: stops, companyId: stops.companyId, time: stops.sliceStart, tie: [stops.id, stops.shiftStart] },
    endAt: stops.shiftEnd,
    after: sql`NOT EXISTS (SELECT 1 FROM ${shiftRecords} WHERE ${shiftRecords.machineId} = ${stops.machineId}
      AND ${shiftRecords.startAt} = ${stops.shiftStart})`,
  },
  orphanedEdits: {
    ...{ table: orphanedEdits, companyId: orphanedEdits.companyId, time: orphanedEdits.startAt, tie: [orphanedEdits.id] },
    endAt: orphanedEdits.endAt,
  },
  // Found by machine. The runs of a machine end in the order in which they begin.
  orderRuns: {
    ...{ table: orderRuns, companyId: machines.companyId, time: orderRuns.endAt },
    ...{ perStep: RUNS_PER_STEP, deleteStep: deleteRuns, oldestOf: oldestRunOf },
  },
  stopClassifications: {
    ...{ table: stopClassifications, companyId: stopClassifications.companyId, time: stopClassifications.createdAt },
    ...{ tie: [stopClassifications.id], of: isNotNull(stopClassifications.endedAt) },
  },
  hoursOutsideShifts: { table: hoursOutsideShifts, companyId: hoursOutsideShifts.companyId, time: hoursOutsideShifts.startAt },
  shiftRecordsHistory: {
    ...{ table: shiftRecordsHistory, companyId: shiftRecordsHistory.companyId, time: shiftRecordsHistory.startAt },
    ...{ tie: [shiftRecordsHistory.id, shiftRecordsHistory.replacedAt], endAt: shiftRecordsHistory.endAt },
  },
  shiftPartsHistory: {
    ...{ table: shiftPartsHistory, companyId: shiftPartsHistory.companyId, time: shiftPartsHistory.startAt },
    ...{ tie: [shiftPartsHistory.machineId, shiftPartsHistory.replacedAt], endAt: shiftPartsHistory.shiftEnd },
  },
  stopsHistory: {
    ...{ table: stopsHistory, companyId: stopsHistory.companyId, time: stopsHistory.sliceStart },
    ...{ tie: [stopsHistory.id, stopsHistory.shiftStart, stopsHistory.replacedAt], endAt: stopsHistory.shiftEnd },
  },
  operatorShiftsHistory: {
    ...{ table: operatorShiftsHistory, companyId: operatorShiftsHistory.companyId, time: operatorShiftsHistory.shiftStart },
    tie: [operatorShiftsHistory.machineId, operatorShiftsHistory.operatorId, operatorShiftsHistory.replacedAt],
    endAt: operatorShiftsHistory.shiftEnd,
  },
  shiftRevisions: {
    ...{ table: shiftRevisions, companyId: shiftRevisions.companyId, time: shiftRevisions.shiftStart },
    ...{ tie: [shiftRevisions.recordId, shiftRevisions.n], endAt: shiftRevisions.shiftEnd },
  },
  corrections: { table: corrections, companyId: corrections.companyId, time: corrections.at, tie: [corrections.id] },
  // An open action is kept, however old its loss is.
  actions: {
    ...{ table: actions, companyId: actions.companyId, time: actions.endedAt, tie: [actions.id] },
    of: isNotNull(actions.endedAt),
  },
  handOvers: {
    ...{ table: handOvers, companyId: handOvers.companyId, time: handOvers.shiftStart, tie: [handOvers.id] },
    endAt: handOvers.shiftEnd,
  },
};

/**
 * Deletes the oldest of a company's dispatched events that were stored at `until` or before, with their deliveries and the calls of these. Events are
 * numbered in the order of their times. Returns how many events there were.
 */
async function deleteEvents(db: CompanyDb, until: number, companyId: number): Promise<number> {
  const oldest = sql`SELECT seq, created_at FROM ${events} WHERE company_id = ${companyId} AND seq <= ${dispatchedSeqOf(companyId)}
    ORDER BY seq LIMIT ${EVENTS_PER_STEP}`;
  const [found] = await db.all<{ last: number | null }>(
    sql`SELECT max(seq) AS last FROM (${oldest}) WHERE created_at <= ${until}`,
  );
  const last = found?.last ?? null;
  if (last === null) return 0;
  return (await deleteWithDeliveries(db, companyId, sql`seq <= ${last}`, last)).length;
}

/** Deletes the events of a company with these numbers, at most `EVENTS_PER_STEP`, and their deliveries. Returns a row for each event. */
export async function deleteEventsOf(db: CompanyDb, companyId: number, seqs: readonly number[]): Promise<unknown[]> {
  const listed = sql`seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)}))`;
  return await deleteWithDeliveries(db, companyId, listed, maxOf(seqs));
}

/** Deletes events of a company, and the deliveries of all its events up to a number with their calls. Returns a row for each event. */
async function deleteWithDeliveries(db: CompanyDb, companyId: number, which: SQL, last: number): Promise<unknown[]> {
  const ofCompany = sql`company_id = ${companyId} AND subscription_nr IN
    (SELECT ${webhookSubscriptions.nr} FROM ${webhookSubscriptions} WHERE ${webhookSubscriptions.companyId} = ${companyId}) AND event_seq <= ${last}`;
  const [deleted] = await db.batch([
    db
      .delete(events)
      .where(sql`company_id = ${companyId} AND ${which}`)
      .returning({ one: sql`1`.as("one") }),
    db.delete(webhookDeliveries).where(ofCompany),
    db.delete(webhookAttempts).where(ofCompany),
  ]);
  return deleted;
}

/**
 * Deletes the oldest runs of a company's machines that ended at `until` or before, and adds what they made to the totals of their orders. Units made
 * before a total was stated are left out, because the stated total includes them. Returns how many runs it deleted.
 */
async function deleteRuns(db: CompanyDb, until: number, companyId: number): Promise<number> {
  const oldest = sql`SELECT run.machine_id, run.start_at, run.end_at FROM ${machines} CROSS JOIN ${orderRuns} AS run
    ON run.machine_id = ${machines.id} AND run.start_at <= ${until} AND run.end_at <= ${until}
    WHERE ${machines.companyId} = ${companyId} LIMIT ${RUNS_PER_STEP}`;
  const found = await db.all<{ id: number; start: number; end: number }>(
    sql`SELECT machine_id AS id, max(start_at) AS start, max(end_at) AS "end" FROM (${oldest}) GROUP BY machine_id`,
  );
  if (found.length === 0) return 0;
  const asked = sql`json_each(${JSON.stringify(found.map(({ id, start, end }) => [id, start, end]))}) AS asked`;
  const due = sql`${asked} CROSS JOIN ${orderRuns} AS run
    ON run.machine_id = asked.value->>0 AND run.start_at <= asked.value->>1 AND run.end_at <= ${until}`;
  const made = sql`SELECT run.work_order_id, run.sku_id, sum(run.correct * (run.start_at >= coalesce(target.stated_at, 0))),
      sum(run.defects * (run.start_at >= coalesce(target.defects_stated_at, 0))),
      sum(run.correct_outside_shifts * (run.start_at >= coalesce(target.stated_at, 0))), max(run.end_at)
    FROM ${due} LEFT JOIN ${workOrderTargets} AS target ON target.work_order_id = run.work_order_id AND target.sku_id = run.sku_id
    WHERE run.correct <> 0 OR run.defects <> 0 GROUP BY run.work_order_id, run.sku_id`;
  const total = deletedRunTotals;
  const [, , deleted] = await db.batch([
    db
      .insert(total)
      .select(made)
      .onConflictDoUpdate({
        target: [total.workOrderId, total.skuId],
        set: {
          correct: sql`${total.correct} + excluded.correct`,
          defects: sql`${total.defects} + excluded.defects`,
          correctOutsideShifts: sql`${total.correctOutsideShifts} + excluded.correct_outside_shifts`,
          lastEndAt: sql`max(${total.lastEndAt}, excluded.last_end_at)`,
        },
      }),
    db
      .insert(deletedRuns)
      .select(sql`SELECT value->>0, value->>2 FROM ${asked} WHERE true`)
      .onConflictDoUpdate({
        target: deletedRuns.machineId,
        set: { lastEndAt: sql`max(${deletedRuns.lastEndAt}, excluded.last_end_at)` },
      }),
    db
      .delete(orderRuns)
      .where(sql`rowid IN (SELECT run.rowid FROM ${due})`)
      .returning({ one: sql`1`.as("one") }),
  ]);
  return deleted.length;
}

/** When the oldest run of a company's machines ended. */
function oldestRunOf(companyId: number): SQL {
  const ofMachine = sql`SELECT run.end_at FROM ${orderRuns} AS run WHERE run.machine_id = ${machines.id} ORDER BY run.start_at LIMIT 1`;
  return sql`SELECT min((${ofMachine})) AS at FROM ${machines} WHERE ${machines.companyId} = ${companyId}`;
}

const listed = (parts: readonly SQLWrapper[]) => sql.join([...parts], sql`, `);

/**
 * Deletes the oldest of the rows whose period ended at `until` or before, as many as a statement may. Returns how many there were. They are deleted
 * by a range of the index, whose end is read first, so that the statement reads no more than it deletes.
 */
export async function deleteStep(db: AnyDb, rows: AgedRows, until: number, companyId?: number): Promise<number> {
  const { table, time, tie = [sql`rowid`], endAt, of = sql`true`, after = sql`true`, perStep = ROWS_PER_STEP } = rows;
  const ofCompany = rows.companyId && companyId !== undefined ? eq(rows.companyId, companyId) : sql`true`;
  const isAged = sql`${ofCompany} AND ${time} <= ${until} AND ${endAt ? lte(endAt, until) : sql`true`} AND ${of} AND ${after}`;
  const place = listed([time, ...tie]);
  const names = [time, ...tie].map((part, i) => sql`${part} AS ${sql.identifier(`p${i}`)}`);
  const [last] = await db.all<Record<string, number | string>>(
    sql`SELECT ${listed(names)} FROM ${table} WHERE ${isAged} ORDER BY ${place} LIMIT 1 OFFSET ${perStep - 1}`,
  );
  const end = last && listed(Object.values(last).map((part) => sql`${part}`));
  const isBefore = last ? sql`${time} <= ${last.p0} AND (${place}) <= (${end})` : sql`true`;
  // The number of changes that D1 reports includes those by triggers.
  const deleted = await db
    .delete(table)
    .where(sql`${isAged} AND ${isBefore}`)
    .returning({ one: sql`1`.as("one") });
  return deleted.length;
}

/** The statement that reads since when the oldest row is due or will be: its time, or no row. */
export function selectOldest(
  db: AnyDb,
  { table, companyId: owner, time, tie = [sql`rowid`], endAt, of, oldestOf }: AgedRows,
  companyId?: number,
) {
  const ofCompany = owner && companyId !== undefined ? eq(owner, companyId) : sql`true`;
  const oldest =
    oldestOf && companyId !== undefined
      ? oldestOf(companyId)
      : sql`SELECT ${endAt ?? time} AS at FROM ${table} WHERE ${ofCompany} AND ${of ?? sql`true`} ORDER BY ${listed([time, ...tie])} LIMIT 1`;
  return db
    .select({ at: sql<number>`at`.as("at") })
    .from(sql`(${oldest})`)
    .where(sql`at IS NOT NULL`);
}

/** The statement that stores when the oldest row of a kind is from. */
export function saveOldest(db: CompanyDb, companyId: number, kind: string, oldestAt: number) {
  return db
    .insert(retention)
    .values({ companyId, kind, oldestAt })
    .onConflictDoUpdate({ target: [retention.companyId, retention.kind], set: { oldestAt } });
}

/**
 * The companies (some several times) that have rows that are due, or of which nobody knows, and deleted ones with an archive, unless a run is at work
 * on them at `now`.
 */
export function selectCompaniesWithDue(db: CompanyDb, due: readonly Due[], now: number) {
  const known = sql`SELECT ${retention.companyId} AS company_id FROM json_each(${JSON.stringify(due)}) AS asked CROSS JOIN ${retention}
    ON ${retention.kind} = asked.value->>'kind' AND ${retention.oldestAt} <= asked.value->>'until'
    AND (NOT asked.value->>'isByDay' OR ${retention.oldestAt} < (asked.value->>'until' - ${retention.companyId} % 24 * ${hourMs}) / ${dayMs} * ${dayMs})`;
  const isUnknown = sql`NOT EXISTS (SELECT 1 FROM ${retention} WHERE ${retention.companyId} = ${companies.id})`;
  const hasLeft = sql`${companies.deletedAt} IS NOT NULL AND EXISTS (SELECT 1 FROM ${archivedDays} WHERE ${archivedDays.companyId} = ${companies.id})`;
  const found = sql`${known} UNION ALL SELECT ${companies.id} FROM ${companies} WHERE ${isUnknown} OR (${hasLeft})`;
  const isFree = sql`NOT EXISTS (SELECT 1 FROM ${retentionRuns} WHERE ${retentionRuns.companyId} = found.company_id
    AND ${retentionRuns.until} > ${now})`;
  return db.all<{ companyId: number }>(
    sql`SELECT company_id AS "companyId" FROM (${found}) AS found WHERE company_id > 0 AND ${isFree}`,
  );
}

/** In the text, not as parameters, so that SQLite divides them as integers. */
const [hourMs, dayMs] = [sql.raw(String(HOUR_MS)), sql.raw(String(DAY_MS))];

/** Makes this run the only one that works on a company until `until`. False: another one does. */
export async function claimCompany(db: CompanyDb, companyId: number, until: number, now: number): Promise<boolean> {
  const claimed = await db
    .insert(retentionRuns)
    .values({ companyId, until })
    .onConflictDoUpdate({ target: retentionRuns.companyId, set: { until }, setWhere: lte(retentionRuns.until, now) })
    .returning(getTableColumns(retentionRuns));
  return claimed.length > 0;
}

/** The statement that ends a run. */
export function releaseCompany(db: CompanyDb, companyId: number) {
  return db.delete(retentionRuns).where(eq(retentionRuns.companyId, companyId));
}

/** The statement that reads when a company was deleted. */
export function selectDeletedAt(db: CompanyDb, companyId: number) {
  return db.select({ deletedAt: companies.deletedAt }).from(companies).where(eq(companies.id, companyId));
}

/** The oldest parts of the archive of a company of days up to `until`. */
export function selectOldParts(db: CompanyDb, companyId: number, kind: ArchivedKind, until: number, limit: number) {
  return db
    .select()
    .from(archivedDays)
    .where(and(eq(archivedDays.companyId, companyId), eq(archivedDays.kind, kind), lte(archivedDays.day, until)))
    .orderBy(archivedDays.day, archivedDays.part)
    .limit(limit);
}

/** The statement that forgets a part whose object is deleted. */
export function deletePart(db: CompanyDb, { companyId, kind, day, part }: ArchivedPart) {
  const { companyId: owner, kind: ofKind, day: ofDay, part: number } = archivedDays;
  return db.delete(archivedDays).where(and(eq(owner, companyId), eq(ofKind, kind), eq(ofDay, day), eq(number, part)));
}
