import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteColumn, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { storedEntry } from "../../core/audit-entries.ts";
import { takeId } from "../../core/sequence.ts";
import type { AuditRow } from "../../db/audit-row.ts";
import type { CompanyDb } from "../../db/client.ts";
import { ifGiven, inList } from "../../db/conditions.ts";
import { expect } from "../../db/expect.ts";
import {
  audit,
  bookClosingMachines,
  bookClosings,
  books,
  type ClosingMachineState,
  companies,
  heldEntries,
  imports,
  machines,
  recalculations,
  setUpVersions,
  shiftRecords,
  stops,
  users,
} from "../../db/schema.ts";
import { MAX_SHIFT_MS } from "../../oee/shifts.ts";
import { DAY_MS, HOUR_MS } from "../../oee/time.ts";
import type { ClosingsQuery } from "./query.ts";

export type ClosingRow = typeof bookClosings.$inferSelect;
export type NamedClosingRow = Awaited<ReturnType<typeof selectClosing>>[number];
export type ClosingMachineRow = Awaited<ReturnType<typeof selectClosingMachines>>[number];

const nameOf = (id: typeof bookClosings.createdBy | typeof bookClosings.reopenedBy) =>
  sql<string | null>`(SELECT ${users.name} FROM ${users} WHERE ${users.id} = ${id})`;
/** How many of its machines are still to be closed, or to be reopened. */
const machinesLeft = sql<number>`(SELECT count(*) FROM ${bookClosingMachines} WHERE ${bookClosingMachines.closingId} = ${bookClosings.id}
  AND ${bookClosingMachines.state} IN ('waiting', 'reopening'))`;

function selectAll(db: CompanyDb) {
  return db
    .select({
      ...getTableColumns(bookClosings),
      createdByName: nameOf(bookClosings.createdBy).as("created_by_name"),
      reopenedByName: nameOf(bookClosings.reopenedBy).as("reopened_by_name"),
      machinesLeft: machinesLeft.as("machines_left"),
    })
    .from(bookClosings);
}

/** The statement that reads the closings that match a query, newest first, one more than its limit. */
export function selectClosings(db: CompanyDb, { companyId, cursor, limit }: ClosingsQuery) {
  return selectAll(db)
    .where(and(ifGiven(bookClosings.companyId, companyId), cursor && lt(bookClosings.id, cursor[0])))
    .orderBy(desc(bookClosings.id))
    .limit(limit + 1);
}

/** The statement that reads a closing of a company (undefined: of any). */
export function selectClosing(db: CompanyDb, id: number, companyId: number | undefined) {
  return selectAll(db).where(and(eq(bookClosings.id, id), ifGiven(bookClosings.companyId, companyId)));
}

/** The statement that reads the machines of a closing. */
export function selectClosingMachines(db: CompanyDb, id: number) {
  return db
    .select({ ...getTableColumns(bookClosingMachines), machineName: sql<string>`${machines.name}`.as("machine_name") })
    .from(bookClosingMachines)
    .innerJoin(machines, eq(machines.id, bookClosingMachines.machineId))
    .where(eq(bookClosingMachines.closingId, id))
    .orderBy(asc(machines.name), asc(machines.id));
}

export function takeClosingId(db: CompanyDb) {
  return takeId(db, bookClosings);
}

/** The statement that reads up to when the books of a company are closed. */
export function selectBooks(db: CompanyDb, companyId: number) {
  return db.select().from(books).where(eq(books.companyId, companyId));
}

/** Condition: a closing goes on by itself. As a comparison, so that its index is searched. */
const isUnderWay = sql`${bookClosings.nextAt} > 0`;

/** Condition: the books of a company are closed up to an instant, and are not being closed or reopened. */
export function areBooksAt(companyId: number, lockedTo: number): SQL {
  return sql`coalesce((SELECT ${books.lockedTo} FROM ${books} WHERE ${books.companyId} = ${companyId}), 0) = ${lockedTo}
    AND NOT EXISTS (SELECT 1 FROM ${bookClosings} WHERE ${bookClosings.companyId} = ${companyId} AND ${isUnderWay})`;
}

/** The statement that reads the closing or reopening of a company's books that is under way, if there is one. */
export function selectUnderWay(db: CompanyDb, companyId: number) {
  return db
    .select({ id: bookClosings.id })
    .from(bookClosings)
    .where(and(eq(bookClosings.companyId, companyId), isUnderWay))
    .limit(1);
}

interface Times {
  from: number;
  to: number;
}

/** The statement that counts what people have left open of a time of a company. */
export function selectFindings(db: CompanyDb, companyId: number, { from, to }: Times) {
  const unclassified = sql<number>`(SELECT count(*) FROM ${stops} WHERE ${stops.companyId} = ${companyId}
    AND ${stops.sliceStart} >= ${from - MAX_SHIFT_MS} AND ${stops.sliceStart} < ${to} AND ${stops.shiftEnd} > ${from} AND ${stops.shiftEnd} <= ${to}
    AND ${stops.deletedAt} IS NULL AND ${stops.classificationId} IS NULL AND ${stops.isProgrammed} = 0 AND ${stops.isIncludedInStops} = 1)`;
  const newest = sql`(SELECT max(${shiftRecords.startAt}) FROM ${shiftRecords} WHERE ${shiftRecords.machineId} = ${machines.id})`;
  const silent = sql<number>`(SELECT count(*) FROM ${machines} WHERE ${machines.companyId} = ${companyId} AND ${machines.deletedAt} IS NULL
    AND ${machines.heardAt} IS NOT NULL AND EXISTS (SELECT 1 FROM ${shiftRecords} WHERE ${shiftRecords.machineId} = ${machines.id}
      AND ${shiftRecords.startAt} = ${newest} AND (${shiftRecords.openBucket} = 'noData'
        OR (${shiftRecords.openBucket} IS NULL AND ${shiftRecords.noDataSpans}->>'$[#-1][1]' = ${shiftRecords.endAt}))))`;
  const held = sql<number>`(SELECT coalesce(sum(${heldEntries.count}), 0) FROM ${heldEntries} WHERE ${heldEntries.companyId} = ${companyId}
    AND ${heldEntries.day} > ${from - DAY_MS} AND ${heldEntries.firstAt} < ${to})`;
  return db
    .select({ unclassified: unclassified.as("unclassified"), silent: silent.as("silent"), held: held.as("held") })
    .from(one);
}

/** The statement that counts what may still change the past of a company by itself. */
export function selectRecalculating(db: CompanyDb, companyId: number) {
  const asked = sql`(SELECT count(*) FROM ${recalculations} WHERE ${recalculations.companyId} = ${companyId} AND ${recalculations.endedAt} IS NULL)`;
  const large = sql`(SELECT count(*) FROM ${machines} WHERE ${machines.companyId} = ${companyId} AND ${machines.recalculatingFrom} IS NOT NULL)`;
  const undoing = sql`(SELECT count(*) FROM ${imports} WHERE ${imports.companyId} = ${companyId} AND ${imports.state} = 'undoing')`;
  return db.select({ count: sql<number>`${asked} + ${large} + ${undoing}`.as("under_way") }).from(one);
}

/** A single row. */
const one = sql`(SELECT 1)`;

/** The statements that begin a closing: from then on nothing of before it can be changed in the set-up. */
export function insertClosing(db: CompanyDb, row: typeof bookClosings.$inferInsert) {
  const { companyId, toAt } = row;
  const members = sql`SELECT CAST(${row.id} AS INTEGER), ${machines.id}, 'waiting', NULL, CAST(${row.createdAt} AS INTEGER) FROM ${machines}
    WHERE ${machines.companyId} = ${companyId} AND ${machines.commissionedAt} < ${toAt}`;
  return [
    db.insert(bookClosings).values(row),
    db.insert(bookClosingMachines).select(members),
    db
      .insert(books)
      .values({ companyId, lockedTo: row.fromAt, closingTo: toAt })
      .onConflictDoUpdate({ target: books.companyId, set: { closingTo: toAt } }),
  ];
}

/** The statement that stores an audit entry. */
export function insertEntry(db: CompanyDb, entry: AuditRow) {
  return db.insert(audit).values(storedEntry(entry));
}

/** The statements that take a closing back. Its machines follow. */
export function reopenClosing(db: CompanyDb, { id, companyId, fromAt }: ClosingRow, set: Partial<ClosingRow>) {
  return [
    db.update(bookClosings).set(set).where(eq(bookClosings.id, id)),
    db.update(books).set({ lockedTo: fromAt }).where(eq(books.companyId, companyId)),
    setMachines(db, id, "reopening", set.nextAt ?? 0),
  ];
}

/** Condition: a closing is in a state. */
export function isInState(id: number, state: ClosingRow["state"]): SQL {
  return sql`EXISTS (SELECT 1 FROM ${bookClosings} WHERE ${bookClosings.id} = ${id} AND ${bookClosings.state} = ${state})`;
}

function setMachines(db: CompanyDb, closingId: number, state: ClosingMachineState, now: number) {
  return db.update(bookClosingMachines).set({ state, updatedAt: now }).where(eq(bookClosingMachines.closingId, closingId));
}

/** A closing of a company that goes on; undefined: none does. */
export function findDue(db: CompanyDb, companyId: number, now: number) {
  return db
    .select()
    .from(bookClosings)
    .where(and(eq(bookClosings.companyId, companyId), isUnderWay, lte(bookClosings.nextAt, now)))
    .limit(1)
    .get();
}

/**
 * The statement that reads the companies whose closings were due at an instant, or whose books may be closed by themselves then. A company may be named
 * twice: a union without duplicates would read all companies.
 */
export function selectCompaniesWithClosings(db: CompanyDb, until: number) {
  return db
    .select({ companyId: bookClosings.companyId })
    .from(bookClosings)
    .where(and(isUnderWay, lte(bookClosings.nextAt, until)))
    .unionAll(db.select({ companyId: companies.id }).from(companies).where(isLockDue(until)))
    .limit(100);
}

const isLockDue = (until: number) => and(lte(companies.nextLockAt, until), isNull(companies.deletedAt));

/** A company whose books may be closed by themselves, and up to when they are closed; undefined: it is not due. */
export function findLockDue(db: CompanyDb, companyId: number, now: number) {
  const { timezone, lockAfterDays } = companies;
  return db
    .select({ timezone, lockAfterDays, lockedTo: sql<number>`ifnull(${books.lockedTo}, 0)`.as("closed_to") })
    .from(companies)
    .leftJoin(books, eq(books.companyId, companies.id))
    .where(and(eq(companies.id, companyId), isLockDue(now)))
    .get();
}

/** The statement that says when it is seen next whether the books of a company are to be closed, if they ever are by themselves. */
export function setNextLock(db: CompanyDb, companyId: number, nextLockAt: number) {
  return db
    .update(companies)
    .set({ nextLockAt })
    .where(and(eq(companies.id, companyId), isNotNull(companies.nextLockAt)));
}

/** Takes a closing that is due. Returns false if somebody else has. */
export async function leaseClosing(db: CompanyDb, { id, nextAt }: ClosingRow, until: number): Promise<boolean> {
  if (nextAt === null) return false;
  const taken = await db
    .update(bookClosings)
    .set({ nextAt: until })
    .where(and(eq(bookClosings.id, id), eq(bookClosings.nextAt, nextAt)))
    .returning({ id: bookClosings.id });
  return taken.length > 0;
}

/** Some machines of a closing in a state, with the versions of their set-up; and whether versions of that time have not begun yet. */
export async function findMachinesLeft(
  db: CompanyDb,
  { id, companyId, toAt }: ClosingRow,
  state: ClosingMachineState,
  limit: number,
) {
  const [left, due] = await db.batch([
    db
      .select({ machineId: bookClosingMachines.machineId, configVersion: machines.configVersion })
      .from(bookClosingMachines)
      .innerJoin(machines, eq(machines.id, bookClosingMachines.machineId))
      .where(and(eq(bookClosingMachines.closingId, id), eq(bookClosingMachines.state, state)))
      .orderBy(asc(bookClosingMachines.updatedAt))
      .limit(limit),
    db
      .select({ id: setUpVersions.id })
      .from(setUpVersions)
      .where(and(isNotNull(setUpVersions.dueAt), lte(setUpVersions.dueAt, toAt), eq(setUpVersions.companyId, companyId)))
      .limit(1),
  ]);
  return { left, isSetUpDue: due.length > 0 };
}

type Statement = BatchItem<"sqlite">;

/** Records how machines of a closing have come. Those of one that is in another state meanwhile stay as they are. */
export async function saveMachines(
  db: CompanyDb,
  closing: ClosingRow,
  changes: readonly { machineIds: readonly number[]; state: ClosingMachineState; waitsFor: string | null }[],
  now: number,
): Promise<void> {
  const statements = changes
    .filter(({ machineIds }) => machineIds.length > 0)
    .map(({ machineIds, state, waitsFor }) =>
      db
        .update(bookClosingMachines)
        .set({ state, waitsFor, updatedAt: now })
        .where(
          and(
            eq(bookClosingMachines.closingId, closing.id),
            inList(bookClosingMachines.machineId, machineIds),
            isInState(closing.id, closing.state),
          ),
        ),
    );
  const [first, ...others] = statements;
  if (first) await db.batch([first, ...others]);
}

/** Changes a closing that is in a state. */
export async function saveClosing(db: CompanyDb, { id, state }: ClosingRow, set: SQLiteUpdateSetSource<typeof bookClosings>) {
  await db
    .update(bookClosings)
    .set(set)
    .where(and(eq(bookClosings.id, id), eq(bookClosings.state, state)));
}

/** Ends a closing: all of its machines are closed. What their shifts sum up to is stored in the same transaction. */
export async function endClosing(db: CompanyDb, { id, companyId, fromAt, toAt }: ClosingRow, now: number): Promise<void> {
  const isWaiting = sql`EXISTS (SELECT 1 FROM ${bookClosingMachines} WHERE ${bookClosingMachines.closingId} = ${id} AND ${bookClosingMachines.state} = 'waiting')`;
  const statements: [Statement, ...Statement[]] = [
    expect(db, [isInState(id, "closing"), sql`NOT ${isWaiting}`]),
    db
      .update(bookClosings)
      .set({ state: "closed", sums: sumsText(companyId, { from: fromAt, to: toAt }), endedAt: now, nextAt: null })
      .where(eq(bookClosings.id, id)),
    db.update(books).set({ lockedTo: toAt, closingTo: null }).where(eq(books.companyId, companyId)),
  ];
  await db.batch(statements);
}

/** Gives a closing up: its machines are reopened. */
export async function failClosing(db: CompanyDb, { id, companyId }: ClosingRow, failure: string, now: number): Promise<void> {
  await db.batch([
    expect(db, [isInState(id, "closing")]),
    db.update(bookClosings).set({ state: "failed", failure, endedAt: now, nextAt: now }).where(eq(bookClosings.id, id)),
    db.update(books).set({ closingTo: null }).where(eq(books.companyId, companyId)),
    setMachines(db, id, "reopening", now),
    setNextLock(db, companyId, now + HOUR_MS),
  ]);
}

const summed = {
  totalUnits: shiftRecords.totalUnits,
  defectUnits: shiftRecords.defectUnits,
  availableMs: shiftRecords.availableMs,
  noDataMs: shiftRecords.noDataMs,
  programmedMs: shiftRecords.programmedMs,
  nonProgrammedMs: shiftRecords.nonProgrammedMs,
  otherMs: shiftRecords.otherMs,
  idealMs: shiftRecords.idealMs,
};

/**
 * What the shifts of each machine of a company that ended in a time sum up to, as JSON.
 * @param company its id, like the times a value or a column
 */
function sumsText(company: number | SQLiteColumn, { from, to }: Record<keyof Times, number | SQLiteColumn>): SQL {
  const members = Object.entries(summed).map(([name, column]) => sql`${sql.raw(`'${name}'`)}, sum(${column})`);
  const earliest = sql`${from} - ${sql.raw(String(MAX_SHIFT_MS))}`;
  return sql`(SELECT coalesce(json_group_array(json(of_machine)), '[]') FROM (SELECT json_object('machineId', ${shiftRecords.machineId},
      'shifts', count(*), ${sql.join(members, sql`, `)}) AS of_machine FROM ${shiftRecords} WHERE ${shiftRecords.companyId} = ${company}
    AND ${shiftRecords.startAt} >= ${earliest} AND ${shiftRecords.startAt} < ${to}
    AND ${shiftRecords.endAt} > ${from} AND ${shiftRecords.endAt} <= ${to} GROUP BY ${shiftRecords.machineId} ORDER BY ${shiftRecords.machineId}))`;
}

/** The statement that reads what the shifts of a closing sum up to now, as JSON. */
export function selectSumsNow(db: CompanyDb, id: number) {
  const { companyId, fromAt, toAt } = bookClosings;
  return db
    .select({ sums: sql<string>`${sumsText(companyId, { from: fromAt, to: toAt })}`.as("sums_now") })
    .from(bookClosings)
    .where(eq(bookClosings.id, id));
}
