import { and, asc, eq, getTableColumns, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type SQLiteColumn, type SQLiteTable, unionAll } from "drizzle-orm/sqlite-core";
import type { Caller } from "../core/caller.ts";
import { takeId } from "../core/sequence.ts";
import type { CompanyDb } from "../db/client.ts";
import { ifFound, ifGiven, inList } from "../db/conditions.ts";
import { jsonRows } from "../db/json-rows.ts";
import { companies, machines, recalculationMachines, recalculations } from "../db/schema.ts";
import { raiseVersions } from "../objects/notify-machines.ts";

export type { BatchResponse as Results } from "drizzle-orm/batch";

export type Statement = BatchItem<"sqlite">;
/** For `expect`: a condition that is checked when a write is committed. */
export type Condition = SQL;
/** The id of a company: a value, or a subquery if the row that contains it is read in the same batch. */
export type Owner = SQL;

/** The columns of every set-up row. Times are epoch ms. Rows without a company belong to the system. */
export interface SetUpRow {
  id: number | string;
  companyId: number | null;
  createdAt: number;
  updatedAt: number;
  deletedAt: number | null;
}

/** The viewer of a row. Favorites depend on the user, and addresses of pictures on the service's origin. */
export type Viewer = Pick<Caller, "actor" | "origin">;

/** The table of a resource. */
export interface SetUpTable {
  table: SQLiteTable & { id: SQLiteColumn };
  id: SQLiteColumn;
  companyId: SQLiteColumn;
  updatedAt: SQLiteColumn;
  deletedAt: SQLiteColumn;
  /** The columns to read. Their names must be unique. */
  columns(viewer: Viewer): Record<string, SQLiteColumn | SQL.Aliased>;
  /** True if the system's rows are visible to every company. */
  hasSystemRows?: true;
  /** True if ids are unique only within a company. */
  idIsPerCompany?: true;
}

/** The row of a request. `companyId` is undefined for callers who may access any company. */
export interface RowScope {
  id: number | string;
  companyId: number | undefined;
  /** Whether the row may be deleted. */
  includeDeleted?: boolean;
}

/** True if ids are numbers that the service assigns. Other ids are sent by the caller, or are UUIDs. */
export function isNumbered(t: SetUpTable): boolean {
  return t.id.dataType === "number";
}

/** True if the rows are companies, which own themselves. */
export function areCompanies(t: SetUpTable): boolean {
  return t.companyId === t.id;
}

/** A JSON column that a subquery builds from other tables. */
export function jsonColumn(name: string, json: SQL) {
  return sql`${json}`.mapWith((text: string): unknown => JSON.parse(text)).as(name);
}

/** The arguments of json_object for a row of a table, in the form in which Drizzle reads it. */
export function jsonMembers(table: SQLiteTable): SQL {
  const members = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = column.columnType === "SQLiteTextJson" ? sql`json(${column})` : sql`${column}`;
    return sql`${sql.raw(`'${name}'`)}, ${value}`;
  });
  return sql.join(members, sql`, `);
}

/** The statement that reads a page of the rows of a company (undefined: all), sorted by id. */
export function selectRows(
  db: CompanyDb,
  t: SetUpTable,
  viewer: Viewer,
  companyId: number | undefined,
  page: {
    after: number | string | undefined;
    limit: number;
    includeDeleted: boolean;
    values: Record<string, unknown>;
    searched?: { members: readonly string[]; search: string | undefined };
  },
) {
  const columns: Record<string, SQLiteColumn> = getTableColumns(t.table);
  const selected = Object.entries(page.values).map(([name, value]) => {
    const column = columns[name.replace(/s$/, "")];
    if (Array.isArray(value)) return column && inList(column, value);
    return columns[name] && ifGiven(columns[name], value);
  });
  const isAfter = page.after === undefined ? undefined : gt(t.id, page.after);
  const isSelected = selected.reduce((all, one) => and(all, one), isAfter);
  const { members = [], search } = page.searched ?? {};
  const [first, ...others] = members.flatMap((member) => columns[member] ?? []);
  const isListed = and(
    page.includeDeleted ? undefined : isNull(t.deletedAt),
    isSelected,
    first && ifFound([first, ...others], search),
  );
  const rowsOf = (isOwners: SQL | undefined) => db.select(t.columns(viewer)).from(t.table).where(and(isOwners, isListed));
  const own = ifGiven(t.companyId, companyId);
  // SQLite merges two sorted lists as it reads them. With OR it would read all rows and sort them.
  const all = own && t.hasSystemRows ? unionAll(rowsOf(own), rowsOf(isNull(t.companyId))) : rowsOf(own);
  return all.orderBy(asc(t.id)).limit(page.limit);
}

/** The statement that reads a row: none or one. */
export function selectRow(db: CompanyDb, t: SetUpTable, viewer: Viewer, scope: RowScope) {
  return db.select(t.columns(viewer)).from(t.table).where(isVisible(t, scope));
}

/** The company of a row that is read in the same batch. */
export function ownerOf(t: SetUpTable, scope: RowScope): Owner {
  return sql`(SELECT ${t.companyId} FROM ${t.table} WHERE ${isVisible(t, scope)})`;
}

/** A known company as an owner. */
export function asOwner(companyId: number | null): Owner {
  return sql`${companyId}`;
}

/** The statement that reads a company that is not deleted: none or one row. */
export function selectCompany(db: CompanyDb, companyId: number | null) {
  return db.select({ id: companies.id }).from(companies).where(isLivingCompany(companyId));
}

/** The statement that reads those of these ids that a company has. */
export function selectOwned(db: CompanyDb, t: SetUpTable, companyId: Owner, ids: readonly (number | string)[]) {
  return db
    .select({ id: sql<number | string>`${t.id}`.as("id") })
    .from(t.table)
    .where(isOwned(t, companyId, ids));
}

export function idsOf<T>(rows: readonly { id: T }[]): T[] {
  return rows.map(({ id }) => id);
}

/** The statement that stores a new row. */
export function insertRow(db: CompanyDb, t: SetUpTable, row: SetUpRow) {
  return db.insert(t.table).values({ ...row });
}

/** The statement that updates columns of a row. */
export function updateRow(db: CompanyDb, t: SetUpTable, row: SetUpRow, values: Partial<SetUpRow>) {
  const { deletedAt, ...others } = values;
  const [deletion] = Object.entries(getTableColumns(t.table)).find(([, column]) => column === t.deletedAt) ?? ["deletedAt"];
  return db
    .update(t.table)
    .set({ ...others, [deletion]: deletedAt })
    .where(isRow(t, row));
}

/** The statement that raises the set-up versions of a company's machines. */
export function raiseVersionsOf(db: CompanyDb, companyId: number, machineIds: readonly number[] | "all") {
  const isOne = machineIds === "all" ? undefined : inList(machines.id, machineIds);
  return raiseVersions(db, and(eq(machines.companyId, companyId), isNull(machines.deletedAt), isOne));
}

/** The statement that reads which machines of a company there are, of some or of all. */
export function selectMachineIds(db: CompanyDb, companyId: number, machineIds: readonly number[] | "all", limit: number) {
  const isOne = machineIds === "all" ? undefined : inList(machines.id, machineIds);
  const areThere = and(eq(machines.companyId, companyId), isNull(machines.deletedAt), isOne);
  return db.select({ id: machines.id }).from(machines).where(areThere).orderBy(machines.id).limit(limit);
}

/** Condition: the row is unchanged since it was read. */
export function isUnchanged(t: SetUpTable, row: SetUpRow): Condition {
  const isSame = sql`${t.deletedAt} IS ${row.deletedAt} AND ${t.updatedAt} = ${row.updatedAt}`;
  return sql`EXISTS (SELECT 1 FROM ${t.table} WHERE ${isRow(t, row)} AND ${isSame})`;
}

/** Condition: no row has the id that was reserved for a new one. Rows that were inserted by other programs may have it. */
export function isFree(t: SetUpTable, id: number): Condition {
  return sql`NOT EXISTS (SELECT 1 FROM ${t.table} WHERE ${t.id} = ${id})`;
}

/** Condition: the company exists. */
export function companyIsThere(companyId: number): Condition {
  return sql`EXISTS (SELECT 1 FROM ${companies} WHERE ${isLivingCompany(companyId)})`;
}

/** Condition: the company has all of these rows. */
export function areOwned(t: SetUpTable, companyId: number | null, ids: readonly (number | string)[]): Condition {
  const distinct = [...new Set(ids)];
  return sql`(SELECT count(*) FROM ${t.table} WHERE ${isOwned(t, asOwner(companyId), distinct)}) = ${distinct.length}`;
}

/** Condition: all of these rows are unchanged since they were read. */
export function areUnchanged(t: SetUpTable, rows: readonly Pick<SetUpRow, "id" | "updatedAt">[]): Condition {
  const versions = JSON.stringify(rows.map(({ id, updatedAt }) => [id, updatedAt]));
  return sql`(SELECT count(*) FROM json_each(${versions}) AS known CROSS JOIN ${t.table} ON ${t.id} = known.value->>0
    AND ${t.updatedAt} = known.value->>1 AND ${t.deletedAt} IS NULL) = ${rows.length}`;
}

/** True for rows with one of these ids that are visible to a company and not deleted. */
export function isOwned(t: SetUpTable, companyId: Owner, ids: readonly (number | string)[]): SQL {
  // The plus rules out the index by company, which may have thousands of rows.
  const isOwners = sql`+${t.companyId} = ${companyId}`;
  const isSeen = t.hasSystemRows ? sql`(${isOwners} OR ${t.companyId} IS NULL)` : isOwners;
  const isOne = ids.length === 1 ? sql`${t.id} = ${ids[0]}` : inList(t.id, ids);
  return sql`${isOne} AND ${isSeen} AND ${t.deletedAt} IS NULL`;
}

function isLivingCompany(companyId: number | null) {
  return sql`${companies.id} = ${companyId} AND ${companies.deletedAt} IS NULL`;
}

function isRow(t: SetUpTable, { id, companyId }: SetUpRow): SQL {
  return sql`${t.id} = ${id} AND ${t.companyId} IS ${companyId}`;
}

function isVisible(t: SetUpTable, { id, companyId, includeDeleted }: RowScope): SQL | undefined {
  const isOwn = ifGiven(t.companyId, companyId);
  return and(
    eq(t.id, id),
    includeDeleted ? undefined : isNull(t.deletedAt),
    isOwn && t.hasSystemRows ? or(isOwn, isNull(t.companyId)) : isOwn,
  );
}

export function takeRecalculationId(db: CompanyDb) {
  return takeId(db, recalculations);
}

/** The statement that counts the recalculations and dry runs of a company that are under way. */
export function countOpen(db: CompanyDb, companyId: number) {
  return db
    .select({ open: sql<number>`count(*)`.as("open") })
    .from(recalculations)
    .where(and(eq(recalculations.companyId, companyId), isNull(recalculations.endedAt)));
}

/** The statements that store a dry run that a job carries out. */
export function insertDryRun(db: CompanyDb, row: typeof recalculations.$inferInsert, machineIds: readonly number[]) {
  const rows = machineIds.map((machineId) => {
    return { recalculationId: row.id, machineId, state: "waiting", changedRecords: 0, updatedAt: row.createdAt };
  });
  return [
    db.insert(recalculations).values(row),
    db.insert(recalculationMachines).select(jsonRows(recalculationMachines, rows)),
  ] as const;
}
