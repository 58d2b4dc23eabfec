import { and, desc, eq, getTableColumns, isNull, lt, notInArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { takeId } from "../../core/sequence.ts";
import type { CompanyDb } from "../../db/client.ts";
import { ifGiven, inList } from "../../db/conditions.ts";
import { jsonRows } from "../../db/json-rows.ts";
import { companies, type ImportedItem, setUpImportItems, setUpImports, users } from "../../db/schema.ts";
import { chunksOf } from "../../limits/load.ts";
import type { Condition, SetUpRow, SetUpTable, Viewer } from "../../resource/queries.ts";
import type { ImportsQuery } from "./query.ts";

// Items are read and written many at a time: D1 allows 1,000 statements a request, and 2 MB a parameter.

/** The items of a statement. */
export const ITEMS_PER_STATEMENT = 500;

export type SetUpImportRow = typeof setUpImports.$inferSelect;

function membersOf({ table }: SetUpTable): Record<string, SQLiteColumn> {
  return getTableColumns(table);
}

function columnOf(t: SetUpTable, member: string): SQLiteColumn {
  return membersOf(t)[member] ?? t.id;
}

function isOwn(t: SetUpTable, companyId: number): SQL | undefined {
  return and(eq(t.companyId, companyId), isNull(t.deletedAt));
}

/** The statements that read those items of a company that have one of these values in a member. */
export function selectItems(
  { db, viewer }: { db: CompanyDb; viewer: Viewer },
  t: SetUpTable,
  companyId: number,
  { member, values }: { member: string; values: readonly (string | number)[] },
) {
  return chunksOf(values, ITEMS_PER_STATEMENT).map((some) =>
    db
      .select(t.columns(viewer))
      .from(t.table)
      .where(and(isOwn(t, companyId), inList(columnOf(t, member), some))),
  );
}

/** The statement that reads the items of a company, one more than the limit. */
export function selectAllItems(
  { db, viewer }: { db: CompanyDb; viewer: Viewer },
  t: SetUpTable,
  companyId: number,
  limit: number,
) {
  return db
    .select(t.columns(viewer))
    .from(t.table)
    .where(isOwn(t, companyId))
    .limit(limit + 1);
}

/** Conditions: these items are unchanged since they were read. */
export function areUnchangedItems(t: SetUpTable, companyId: number, rows: readonly SetUpRow[]): Condition[] {
  return chunksOf(rows, ITEMS_PER_STATEMENT).map((some) => {
    const known = JSON.stringify(some.map(({ id, updatedAt }) => [id, updatedAt]));
    return sql`(SELECT count(*) FROM json_each(${known}) AS known CROSS JOIN ${t.table} ON ${t.id} = known.value->>0
      AND ${t.companyId} = ${companyId} AND ${t.updatedAt} = known.value->>1 AND ${t.deletedAt} IS NULL) = ${some.length}`;
  });
}

/** Conditions: the company has no item with one of these values in a member. */
export function areNew(t: SetUpTable, companyId: number, member: string, values: readonly string[]): Condition[] {
  return chunksOf(values, ITEMS_PER_STATEMENT).map(
    (some) => sql`NOT EXISTS (SELECT 1 FROM ${t.table} WHERE ${and(isOwn(t, companyId), inList(columnOf(t, member), some))})`,
  );
}

/** Condition: the company has as many items as were read. */
export function areAll(t: SetUpTable, companyId: number, count: number): Condition {
  return sql`(SELECT count(*) FROM ${t.table} WHERE ${isOwn(t, companyId)}) = ${count}`;
}

/** Conditions: no rows have the ids that were taken for new ones. */
export function areFree(t: SetUpTable, ids: readonly number[]): Condition[] {
  return chunksOf(ids, ITEMS_PER_STATEMENT).map((some) => sql`NOT EXISTS (SELECT 1 FROM ${t.table} WHERE ${inList(t.id, some)})`);
}

/** The statements that store new items. */
export function insertItems(db: CompanyDb, { table }: SetUpTable, rows: readonly SetUpRow[]) {
  const defaults = defaultsOf(table);
  return chunksOf(rows, ITEMS_PER_STATEMENT).map((some) =>
    db.insert(table).select(
      jsonRows(
        table,
        some.map((row) => ({ ...defaults, ...row })),
      ),
    ),
  );
}

function defaultsOf(table: SQLiteTable): Record<string, unknown> {
  const all = Object.entries(getTableColumns(table)).filter(([, column]) => column.default !== undefined);
  return Object.fromEntries(all.map(([member, column]) => [member, column.default]));
}

/**
 * The statements that store these members of changed items. They insert rows that are there, so that each is found by its key: with UPDATE, SQLite would read
 * all items of the company for each of them.
 */
export function updateItems(db: CompanyDb, t: SetUpTable, members: readonly string[], rows: readonly SetUpRow[]) {
  const own = membersOf(t);
  const stored = Object.entries(own).filter(([member]) => members.includes(member));
  const set = Object.fromEntries(stored.map(([member, { name }]) => [member, sql`excluded.${sql.identifier(name)}`]));
  const target = t.idIsPerCompany ? [t.companyId, t.id] : [t.id];
  return chunksOf(rows, ITEMS_PER_STATEMENT).map((some) =>
    db.insert(t.table).select(jsonRows(t.table, some)).onConflictDoUpdate({ target, set }),
  );
}

/** The statement that reads the zone of a company that is not deleted: none or one row. */
export function selectPlace(db: CompanyDb, companyId: number) {
  const { id, timezone, deletedAt } = companies;
  return db
    .select({ timezone })
    .from(companies)
    .where(and(eq(id, companyId), isNull(deletedAt)));
}

/** The statement that takes the id of an import. */
export function takeImportId(db: CompanyDb) {
  return takeId(db, setUpImports);
}

/** The statements that store an import with what it did to items, and forget those that are no longer kept. */
export function insertImport(db: CompanyDb, row: SetUpImportRow, items: readonly ImportedItem[], mostKept: number) {
  const { id, companyId } = setUpImports;
  const kept = db.select({ id }).from(setUpImports).where(eq(companyId, row.companyId)).orderBy(desc(id)).limit(mostKept);
  const own = sql`SELECT ${id} FROM ${setUpImports} WHERE ${companyId} = ${row.companyId}`;
  return [
    db.insert(setUpImports).values(row),
    ...partsOf(items).map((some, part) => db.insert(setUpImportItems).values({ importId: row.id, part, items: some })),
    db
      .delete(setUpImportItems)
      .where(and(sql`${setUpImportItems.importId} IN (${own})`, notInArray(setUpImportItems.importId, kept))),
    db.delete(setUpImports).where(and(eq(companyId, row.companyId), notInArray(id, kept))),
  ];
}

/** What a part of an import's items may take as JSON: D1 stores 2 MB in a row. */
const PART_CHARACTERS = 500_000;

/** Items in parts that each fit into a row: work orders may have had long lists of machines and SKUs. */
function partsOf(items: readonly ImportedItem[]): ImportedItem[][] {
  const parts: ImportedItem[][] = [];
  let left = 0;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    const last = parts.at(-1);
    if (last && size <= left && last.length < ITEMS_PER_STATEMENT) last.push(item);
    else {
      parts.push([item]);
      left = PART_CHARACTERS;
    }
    left -= size;
  }
  return parts;
}

/** The statement that reads an import of a company (undefined: of any). */
export function selectImport(db: CompanyDb, id: number, companyId: number | undefined) {
  return db
    .select()
    .from(setUpImports)
    .where(and(eq(setUpImports.id, id), ifGiven(setUpImports.companyId, companyId)));
}

/** The statement that reads the imports of a company (undefined: of all), the newest first, one more than the limit. */
export function selectImportsInOrder(db: CompanyDb, { companyId, cursor, limit }: ImportsQuery) {
  return db
    .select({ row: setUpImports, userName: sql<string | null>`${users.name}`.as("user_name") })
    .from(setUpImports)
    .leftJoin(users, eq(users.id, setUpImports.userId))
    .where(and(ifGiven(setUpImports.companyId, companyId), cursor && lt(setUpImports.id, cursor[0])))
    .orderBy(desc(setUpImports.id))
    .limit(limit + 1);
}

/** The statement that reads what an import did to items. */
export function selectImportItems(db: CompanyDb, importId: number) {
  return db
    .select({ items: setUpImportItems.items })
    .from(setUpImportItems)
    .where(eq(setUpImportItems.importId, importId))
    .orderBy(setUpImportItems.part);
}

/** Condition: an import was not undone. */
export function isNotUndone(id: number): Condition {
  return sql`EXISTS (SELECT 1 FROM ${setUpImports} WHERE ${and(eq(setUpImports.id, id), isNull(setUpImports.undoneAt))})`;
}

/** The statements that note that an import was undone, and forget what it did. */
export function noteUndone(db: CompanyDb, id: number, at: number) {
  return [
    db.update(setUpImports).set({ undoneAt: at, updatedAt: at }).where(eq(setUpImports.id, id)),
    db.delete(setUpImportItems).where(eq(setUpImportItems.importId, id)),
  ];
}
