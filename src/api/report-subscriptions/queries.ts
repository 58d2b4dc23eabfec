import { and, desc, eq, getTableColumns, gt, gte, isNotNull, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import type { CompanyDb } from "../../db/client.ts";
import { ifGiven, ifListed, ifOfLines, inList, lineOfRow } from "../../db/conditions.ts";
import { isUnchanged } from "../../db/expect.ts";
import { jsonRows } from "../../db/json-rows.ts";
import {
  companies,
  heldEntries,
  lines,
  machines,
  personas,
  reportContents,
  reportSubscriptions,
  shiftRecords,
  shifts,
  subscriptionLogs,
} from "../../db/schema.ts";
import { MAX_SHIFT_MS } from "../../oee/shifts.ts";
import { DAY_MS, type Interval } from "../../oee/time.ts";
import type { Owner, SetUpTable } from "../../resource/queries.ts";
import type { SubscriptionQuery } from "./query.ts";

export interface LogPage {
  limit: number;
  /** Only logs that were due before this time (epoch ms). */
  before?: number | undefined;
}

/** The logs of a subscription, newest first; null if the company (undefined: any) has no such subscription. One trip. */
export async function findLogs(db: CompanyDb, subscriptionId: string, companyId: number | undefined, { limit, before }: LogPage) {
  const [[subscription], logs] = await db.batch([
    db
      .select({ id: reportSubscriptions.id })
      .from(reportSubscriptions)
      .where(
        and(
          eq(reportSubscriptions.id, subscriptionId),
          isNull(reportSubscriptions.deletedAt),
          ifGiven(reportSubscriptions.companyId, companyId),
        ),
      ),
    db
      .select()
      .from(subscriptionLogs)
      .where(
        and(
          eq(subscriptionLogs.subscriptionId, subscriptionId),
          isNull(subscriptionLogs.deletedAt),
          before === undefined ? undefined : lt(subscriptionLogs.executeAt, before),
        ),
      )
      .orderBy(desc(subscriptionLogs.executeAt), desc(subscriptionLogs.id))
      .limit(limit),
  ]);
  return subscription ? logs : null;
}

/** The subscriptions that match a query, newest first. Reads one more than the limit. */
export function selectSubscriptions(db: CompanyDb, { companyId, includeDeleted, cursor, limit }: SubscriptionQuery) {
  const { createdAt, id } = reportSubscriptions;
  return db
    .select()
    .from(reportSubscriptions)
    .where(
      and(
        ifGiven(reportSubscriptions.companyId, companyId),
        cursor && sql`(${createdAt}, ${id}) < (${cursor[0]}, ${cursor[1]})`,
        includeDeleted ? undefined : isNull(reportSubscriptions.deletedAt),
      ),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(limit + 1);
}

/** The statement that reads the line of the shifts of these machines that overlap a period, and the hourly rate with which they began (null: unknown). */
export function selectStamps(db: CompanyDb, machineIds: readonly number[], { start, end }: Interval) {
  return db
    .select({
      machineId: shiftRecords.machineId,
      start: shiftRecords.startAt,
      end: shiftRecords.endAt,
      lineId: sql<number | null>`${lines.id}`.as("line_id"),
      lineName: sql<string | null>`${lines.name}`.as("line_name"),
      hourlyRate: sql<number | null>`CASE WHEN ${shiftRecords.lineId} IS NOT NULL THEN ${shiftRecords.hourlyRate}
        WHEN ${machines.unstampedLineId} IS NOT NULL THEN ${machines.unstampedHourlyRate} ELSE ${machines.hourlyRate} END`.as(
        "hourly_rate",
      ),
    })
    .from(shiftRecords)
    .innerJoin(machines, eq(machines.id, shiftRecords.machineId))
    .leftJoin(lines, eq(lines.id, lineOfRow(shiftRecords)))
    .where(
      and(
        inList(shiftRecords.machineId, machineIds),
        gt(shiftRecords.startAt, start - MAX_SHIFT_MS),
        lt(shiftRecords.startAt, end),
        gt(shiftRecords.endAt, start),
      ),
    )
    .orderBy(shiftRecords.startAt);
}

/**
 * The statement that reads which of these machines hold counts of a period. What is held is known by UTC day: all
 * of a day counts whose held counts touch the period.
 */
export function selectHeld(db: CompanyDb, machineIds: readonly number[], { start, end }: Interval) {
  return db
    .select({ machineId: heldEntries.machineId, units: sql<number>`sum(${heldEntries.units})`.as("held_units") })
    .from(heldEntries)
    .where(
      and(
        inList(heldEntries.machineId, machineIds),
        eq(heldEntries.reason, "implausible"),
        // By day as well, so that only the rows of these days are read.
        ...[gt(heldEntries.day, start - DAY_MS), lt(heldEntries.day, end)],
        ...[gte(heldEntries.lastAt, start), lt(heldEntries.firstAt, end)],
      ),
    )
    .groupBy(heldEntries.machineId);
}

export type SubscriptionRow = typeof reportSubscriptions.$inferSelect;
export type LogRow = typeof subscriptionLogs.$inferSelect;

const isSent = and(eq(reportSubscriptions.isActive, true), isNull(reportSubscriptions.deletedAt));

/** The statement that reads a company's active subscriptions to shifts. */
export function selectShiftSubscriptions(db: CompanyDb, companyId: number) {
  const { id, machineIds, lineIds, shiftIds } = reportSubscriptions;
  return db
    .select({ id, machineIds, lineIds, shiftIds })
    .from(reportSubscriptions)
    .where(and(eq(reportSubscriptions.companyId, companyId), eq(reportSubscriptions.kind, "shift"), isSent));
}

/** The statement that reads the lines of these records (0: none), and the ends of their shifts as defined: a machine may have been decommissioned before. */
export function selectClosedShifts(db: CompanyDb, recordIds: readonly number[]) {
  return db
    .select({ id: shiftRecords.id, endAt: shiftRecords.endAt, lineId: sql<number>`${lineOfRow(shiftRecords)}`.as("line_of_row") })
    .from(shiftRecords)
    .where(inList(shiftRecords.id, recordIds));
}

/** The statement that stores logs of future runs, unless they exist; none without logs. */
export function insertLogs(db: CompanyDb, logs: readonly NewLog[]) {
  if (logs.length === 0) return [];
  return [
    db
      .insert(subscriptionLogs)
      .select(jsonRows(subscriptionLogs, logs.map(withDefaults)))
      .onConflictDoNothing(),
  ];
}

type NewLog = typeof subscriptionLogs.$inferInsert;

/** A row with the columns' defaults, which an `INSERT` of a `SELECT` does not have. */
const withDefaults = (log: NewLog) => ({ attempts: 0, calledIds: [], ...log });

/** The active subscriptions that are due at `now`, earliest first, after the `last` one that was read, with the time zones of their companies. */
export function findDueSubscriptions(db: CompanyDb, now: number, limit: number, last?: SubscriptionRow) {
  const { nextRunAt, id } = reportSubscriptions;
  return db
    .select({ ...getTableColumns(reportSubscriptions), timezone: companies.timezone })
    .from(reportSubscriptions)
    .innerJoin(companies, and(eq(companies.id, reportSubscriptions.companyId), isNull(companies.deletedAt)))
    .where(and(lte(nextRunAt, now), isSent, last && sql`(${nextRunAt}, ${id}) > (${last.nextRunAt}, ${last.id})`))
    .orderBy(nextRunAt, id)
    .limit(limit);
}

/** The logs of a subscription that is due, and its next run; with what it was when it was read. */
export interface ScheduledRun {
  subscriptionId: string;
  dueAt: number;
  updatedAt: number;
  nextRunAt: number | null;
  logs: readonly NewLog[];
}

const listOf = (runs: readonly ScheduledRun[]) =>
  JSON.stringify(runs.map(({ subscriptionId, dueAt, updatedAt, nextRunAt }) => [subscriptionId, dueAt, updatedAt, nextRunAt]));

/** The ids of the subscriptions of runs that are still due, and unchanged since they were read. */
const dueAsRead = (runs: readonly ScheduledRun[]) => {
  const { id, nextRunAt, updatedAt } = reportSubscriptions;
  return sql`SELECT ${id} FROM json_each(${listOf(runs)}) AS run CROSS JOIN ${reportSubscriptions} ON ${id} = run.value->>0
    AND ${nextRunAt} = run.value->>1 AND ${updatedAt} = run.value->>2`;
};

/** The statement that stores the logs of runs, except of subscriptions that have changed; it runs before `setNextRuns`. */
export function insertScheduledLogs(db: CompanyDb, runs: readonly ScheduledRun[]) {
  const logs = runs.flatMap((run) => run.logs.map(withDefaults));
  const rows = jsonRows(subscriptionLogs, logs);
  const isDue = sql`value->>'subscriptionId' IN (${dueAsRead(runs)})`;
  return db.insert(subscriptionLogs).select(sql`${rows} AND ${isDue}`).onConflictDoNothing();
}

/** The statement that sets the next runs. `updatedAt` stays, because this is not a change by a person. */
export function setNextRuns(db: CompanyDb, runs: readonly ScheduledRun[]) {
  const { id } = reportSubscriptions;
  const next = sql`(SELECT run.value->>3 FROM json_each(${listOf(runs)}) AS run WHERE run.value->>0 = ${id})`;
  return db
    .update(reportSubscriptions)
    .set({ nextRunAt: next })
    .where(sql`${id} IN (${dueAsRead(runs)})`);
}

/** Condition: a subscription is unchanged since it was read. */
export function isSubscriptionAsRead(row: Pick<SubscriptionRow, "id" | "updatedAt">): SQL {
  return isUnchanged(reportSubscriptions, row);
}

/** The statement that stores which addresses have left a subscription. */
export function setLeftAddresses(db: CompanyDb, id: string, leftAddresses: string[], updatedAt: number) {
  return db.update(reportSubscriptions).set({ leftAddresses, updatedAt }).where(eq(reportSubscriptions.id, id));
}

/** The ids of up to `limit` logs that are due at or before `until`. */
export function findDueLogs(db: CompanyDb, until: number, limit: number) {
  return db
    .select({ logId: subscriptionLogs.id })
    .from(subscriptionLogs)
    .where(and(isNotNull(subscriptionLogs.nextAttemptAt), lte(subscriptionLogs.nextAttemptAt, until)))
    .orderBy(subscriptionLogs.nextAttemptAt)
    .limit(limit);
}

/** Claims a run that is due at `now` until `leaseUntil`. Undefined: someone else has claimed it, or it is not due. */
export async function claimLog(db: CompanyDb, id: string, now: number, leaseUntil: number): Promise<LogRow | undefined> {
  const [log] = await db
    .update(subscriptionLogs)
    .set({ status: "running", attempts: sql`${subscriptionLogs.attempts} + 1`, nextAttemptAt: leaseUntil, updatedAt: now })
    .where(and(eq(subscriptionLogs.id, id), isNotNull(subscriptionLogs.nextAttemptAt), lte(subscriptionLogs.nextAttemptAt, now)))
    .returning();
  return log;
}

/** The statement that changes a log, if it still belongs to the attempt that claimed it. */
export function updateLog(db: CompanyDb, { id, attempts }: LogRow, values: Partial<LogRow>) {
  return db
    .update(subscriptionLogs)
    .set(values)
    .where(and(eq(subscriptionLogs.id, id), eq(subscriptionLogs.attempts, attempts)));
}

/** The statement that reads a subscription of a company (undefined: any) with its company; none if either was deleted. */
export function selectSubscription(db: CompanyDb, id: string, companyId?: number) {
  return db
    .select({
      ...getTableColumns(reportSubscriptions),
      companyName: sql<string>`${companies.name}`.as("company_name"),
      timezone: companies.timezone,
    })
    .from(reportSubscriptions)
    .innerJoin(companies, and(eq(companies.id, reportSubscriptions.companyId), isNull(companies.deletedAt)))
    .where(
      and(
        eq(reportSubscriptions.id, id),
        isNull(reportSubscriptions.deletedAt),
        ifGiven(reportSubscriptions.companyId, companyId),
      ),
    );
}
export type SubscriptionOfCompany = Awaited<ReturnType<typeof selectSubscription>>[number];

/** The statement that reads a later log of the same subscription: none or one row. */
export function selectLaterLog(db: CompanyDb, { subscriptionId, periodEnd }: LogRow) {
  return db
    .select({ id: subscriptionLogs.id })
    .from(subscriptionLogs)
    .where(and(eq(subscriptionLogs.subscriptionId, subscriptionId), gt(subscriptionLogs.periodEnd, periodEnd ?? 0)))
    .limit(1);
}

interface Selection {
  companyId: number;
  machineIds: readonly number[] | null;
  lineIds: readonly number[] | null;
}

function ofSelection({ companyId, machineIds, lineIds }: Selection): SQL | undefined {
  return and(
    eq(shiftRecords.companyId, companyId),
    ifListed(shiftRecords.machineId, machineIds ?? undefined),
    ifOfLines(shiftRecords, lineIds ?? undefined),
  );
}

/** The statement that reads a machine at which an occurrence of a shift is still running, as far as D1 knows: none or one row. */
export function selectOpenRecord(db: CompanyDb, selection: Selection, shiftId: number, startAt: number) {
  return db
    .select({ machineId: shiftRecords.machineId })
    .from(shiftRecords)
    .where(
      and(
        ofSelection(selection),
        eq(shiftRecords.startAt, startAt),
        eq(shiftRecords.shiftId, shiftId),
        isNotNull(shiftRecords.openBucket),
      ),
    )
    .limit(1);
}

/** The statement that reads the newest occurrence of a shift that has ended by `now`: none or one row. */
export function selectNewestShift(db: CompanyDb, selection: Selection & { shiftIds: readonly number[] | null }, now: number) {
  return db
    .select({
      shiftId: shiftRecords.shiftId,
      start: shiftRecords.startAt,
      end: shiftRecords.endAt,
      name: sql<string>`${shifts.name}`.as("shift_name"),
    })
    .from(shiftRecords)
    .innerJoin(shifts, eq(shifts.id, shiftRecords.shiftId))
    .where(
      and(ofSelection(selection), ifListed(shiftRecords.shiftId, selection.shiftIds ?? undefined), lte(shiftRecords.endAt, now)),
    )
    .orderBy(desc(shiftRecords.startAt), desc(shiftRecords.id))
    .limit(1);
}

/** The statement that reads the end of an occurrence of a shift, at the machine where it ends last, and the shift's name. */
export function selectShiftEnd(db: CompanyDb, selection: Selection, shiftId: number, startAt: number) {
  return db
    .select({ end: sql<number | null>`max(${shiftRecords.endAt})`.as("ends_at") })
    .from(shiftRecords)
    .where(and(ofSelection(selection), eq(shiftRecords.startAt, startAt), eq(shiftRecords.shiftId, shiftId)));
}

/** The statement that reads the names of shifts. */
export function selectShiftNames(db: CompanyDb, ids: readonly number[]) {
  return db.select({ id: shifts.id, name: shifts.name }).from(shifts).where(inList(shifts.id, ids));
}

/** The statement that reads the e-mail contacts of personas of a company. */
export function selectEmails(db: CompanyDb, companyId: number, ids: readonly string[]) {
  const { id, isActive, email } = personas;
  return db
    .select({ id, isActive, email })
    .from(personas)
    .where(and(inList(id, ids), sql`+${personas.companyId} = ${companyId}`));
}

/** The statement that stores the content that a run sends, unless some is stored already. */
export function insertContent(db: CompanyDb, content: typeof reportContents.$inferInsert) {
  return db.insert(reportContents).values(content).onConflictDoNothing();
}

/** The statement that reads a log of a subscription whose run was due after `since`: none or one row. */
export function selectFreshLog(db: CompanyDb, subscriptionId: string, since: number) {
  const isFresh = and(eq(subscriptionLogs.subscriptionId, subscriptionId), gt(subscriptionLogs.executeAt, since));
  return db.select({ id: subscriptionLogs.id }).from(subscriptionLogs).where(isFresh).limit(1);
}

export type ReportSubscriptionRow = typeof reportSubscriptions.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = reportSubscriptions;

export const reportSubscriptionTable: SetUpTable = {
  ...{ table: reportSubscriptions, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(reportSubscriptions),
};

/** The statement that reads the time zone of a company. */
export function selectTimezone(db: CompanyDb, owner: Owner) {
  return db.select({ timezone: companies.timezone }).from(companies).where(eq(companies.id, owner));
}
