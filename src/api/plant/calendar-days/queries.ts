import { and, count, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { CompanyDb } from "../../../db/client.ts";
import { inList } from "../../../db/conditions.ts";
import { calendarDays, companies, formerLines, machines, shifts } from "../../../db/schema.ts";
import type { Condition, Owner, SetUpTable } from "../../../resource/queries.ts";

export type CalendarDayRow = typeof calendarDays.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = calendarDays;

export const calendarDayTable: SetUpTable = {
  ...{ table: calendarDays, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(calendarDays),
};

/** What a calendar day is for. */
type Scope = Pick<CalendarDayRow, "lineId" | "machineId">;

/** The statement that counts the calendar days of the same company, line or machine. */
export function selectDayCount(db: CompanyDb, ofCompany: Owner, scope: Scope) {
  return db.select({ count: count() }).from(calendarDays).where(isOfScope(ofCompany, scope));
}

/** Condition: a company, line or machine has fewer calendar days than `most`. */
export function hasFewerDays(ofCompany: number, scope: Scope, most: number): Condition {
  return sql`(SELECT count(*) FROM ${calendarDays} WHERE ${isOfScope(sql`${ofCompany}`, scope)}) < ${most}`;
}

/** The statement that reads another calendar day of the same date and scope. */
export function selectSameDay(db: CompanyDb, ofCompany: Owner, scope: Scope, date: string) {
  return db
    .select({ id: calendarDays.id })
    .from(calendarDays)
    .where(and(isOfScope(ofCompany, scope), eq(calendarDays.date, date)));
}

/** Condition: a company, line or machine has no calendar day of a date. */
export function hasNoSuchDay(ofCompany: number, scope: Scope, date: string): Condition {
  return sql`NOT EXISTS (SELECT 1 FROM ${calendarDays} WHERE ${isOfScope(sql`${ofCompany}`, scope)} AND ${calendarDays.date} = ${date})`;
}

/** The statement that counts the calendar days of the same company, line or machine as a deleted one, and how many of them have its date. */
export function selectSameAs(db: CompanyDb, dayId: number) {
  const deleted = alias(calendarDays, "deleted");
  const isSameScope = and(
    eq(companyId, deleted.companyId),
    isNull(deletedAt),
    sql`${calendarDays.lineId} IS ${deleted.lineId}`,
    sql`${calendarDays.machineId} IS ${deleted.machineId}`,
  );
  const sameDate = sql<number>`ifnull(sum(${calendarDays.date} = ${deleted.date}), 0)`.as("same_date");
  return db
    .select({ count: sql<number>`count(*)`.as("of_scope"), sameDate })
    .from(deleted)
    .innerJoin(calendarDays, isSameScope)
    .where(eq(deleted.id, dayId));
}

function isOfScope(ofCompany: Owner, { lineId, machineId }: Scope): SQL | undefined {
  return and(
    eq(companyId, ofCompany),
    isNull(deletedAt),
    lineId === null ? isNull(calendarDays.lineId) : eq(calendarDays.lineId, lineId),
    machineId === null ? isNull(calendarDays.machineId) : eq(calendarDays.machineId, machineId),
  );
}

/** The statement that reads those of these shifts that a company has, with what a calendar day takes over from them. */
export function selectShiftsOf(db: CompanyDb, ofCompany: Owner, ids: readonly number[]) {
  const { start, end, breaks } = shifts;
  return db
    .select({ id: shifts.id, start, end, breaks })
    .from(shifts)
    .where(and(inList(shifts.id, ids), eq(shifts.companyId, ofCompany), isNull(shifts.deletedAt)));
}

/** The statement that reads the time zone of a company. */
export function selectZone(db: CompanyDb, owner: SQL) {
  return db.select({ timezone: companies.timezone }).from(companies).where(eq(companies.id, owner));
}

/** The statement that reads the machines that are or were in a line; none without a line. */
export function selectMachinesOfLine(db: CompanyDb, lineId: number | null) {
  return selectMachinesEverIn(db, sql`${lineId}`);
}

/** The statement that reads the machines that are or were in the line of a calendar day. */
export function selectMachinesOfDay(db: CompanyDb, dayId: number) {
  return selectMachinesEverIn(db, sql`(SELECT ${calendarDays.lineId} FROM ${calendarDays} WHERE ${calendarDays.id} = ${dayId})`);
}

function selectMachinesEverIn(db: CompanyDb, lineId: SQL) {
  const former = sql`SELECT ${formerLines.machineId} FROM ${formerLines} WHERE ${formerLines.lineId} = ${lineId}`;
  return db
    .select({ id: machines.id })
    .from(machines)
    .where(and(isNull(machines.deletedAt), sql`(${machines.lineId} = ${lineId} OR ${machines.id} IN (${former}))`));
}
