import { and, asc, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type SQLiteColumn, type SQLiteTable, unionAll } from "drizzle-orm/sqlite-core";
import type { AuditAction } from "../../core/audit.ts";
import type { Fault } from "../../core/problem.ts";
import { type Check, checkedBatch } from "../../db/checked-batch.ts";
import type { Db } from "../../db/client.ts";
import { companies, machines } from "../../db/schema.ts";
import type { keepAnswer } from "../../http/idempotency.ts";
import type { Audit } from "../../http/old-audit.ts";
import { type ChangedMachine, raiseVersions } from "../../machine/tell-machines.ts";
import type { Viewer } from "../widgets/queries.ts";
import { refusalOf } from "./refusal.ts";

/** What every row of the set-up has; times are epoch ms. A null company makes it one of the system's own. */
export interface SetUpRow {
  id: number | string;
  companyId: number | null;
  createdAt: number;
  updatedAt: number;
  deletedAt: number | null;
}

/** A rule of a write, and what is wrong when it does not hold; "overtaken": the row is not as it was read. */
export interface SetUpCheck extends Check {
  status: 400 | 404 | 409 | "overtaken";
  fault(found: string | number): Fault;
}

type Statement = BatchItem<"sqlite">;

/** The columns that say whose a row is, and since when. */
interface KeyColumns {
  table: SQLiteTable;
  id: SQLiteColumn;
  companyId: SQLiteColumn;
  updatedAt: SQLiteColumn;
  deletedAt: SQLiteColumn;
}

/** Where rows of a kind are kept, and what is written with them. A new row's `next.id` is 0 where the database gives it. */
export interface SetUpTable<Row extends SetUpRow> extends KeyColumns {
  /** What a row is read by; no two columns of one name. */
  columns: Record<string, SQLiteColumn | SQL.Aliased>;
  /** Members of the row that other tables keep, as JSON in the item's shape. */
  extras?(viewer: Viewer): Record<string, SQL>;
  /** Whether every company sees the rows that belong to none. */
  hasSystemRows?: true;
  /** The id of a new row that brings none. Where the database numbers the rows it is left out. */
  newId?(): string;
  checks?(next: Row, before: Row | null): SetUpCheck[];
  removalChecks?(before: Row): SetUpCheck[];
  /** What a deletion sets; `deletedAt` alone unless told otherwise. */
  removal?(before: Row, now: number): Record<string, unknown>;
  /** Statements before that of a new row. */
  clear?(db: Db, next: Row): Statement[];
  /** Statements after that of a row that is made or changed. */
  attach?(db: Db, next: Row, before: Row | null): Statement[];
  /** Statements after that of a row that is deleted. */
  detach?(db: Db, before: Row, now: number): Statement[];
  /** The machines whose set-up it is part of. */
  machines?(before: Row | null, next: Row | null): readonly number[] | "all";
}

/** What a write did: the row as it is now (undefined: deleted), and the machines to be told. */
export interface Written<Row> {
  row: Row | undefined;
  machines: ChangedMachine[];
}

/** A page of a company's rows (undefined: anyone's) in the order of their ids, beginning after one. One trip. */
export async function listRows<Row extends SetUpRow>(
  db: Db,
  t: SetUpTable<Row>,
  companyId: number | undefined,
  page: { after: number | string | undefined; limit: number; includeDeleted: boolean },
  viewer: Viewer,
): Promise<Row[]> {
  const isAfter = page.after === undefined ? undefined : gt(t.id, page.after);
  const isListed = and(page.includeDeleted ? undefined : isNull(t.deletedAt), isAfter);
  const rowsOf = (isOwners: SQL | undefined) => db.select(selection(t, viewer)).from(t.table).where(and(isOwners, isListed));
  const own = companyId === undefined ? undefined : eq(t.companyId, companyId);
  // Two lists in order are merged as they are read. A single one with OR would be read to its end and sorted.
  const all = own && t.hasSystemRows ? unionAll(rowsOf(own), rowsOf(isNull(t.companyId))) : rowsOf(own);
  return asRows(await all.orderBy(asc(t.id)).limit(page.limit));
}

/** The row of this id, unless it is deleted or another company's (undefined: anyone's). One trip. */
export async function findRow<Row extends SetUpRow>(
  db: Db,
  t: SetUpTable<Row>,
  companyId: number | undefined,
  id: number | string,
  viewer: Viewer,
): Promise<Row | undefined> {
  const isRow = and(eq(t.id, id), isNull(t.deletedAt), seenBy(t, companyId));
  return asRows<Row>(await db.select(selection(t, viewer)).from(t.table).where(isRow))[0];
}

/** What is stored with a change: the audit entry, and the answer, which is `item` with what other tables keep of the row. */
interface Change {
  entry: ReturnType<Audit>;
  item: Record<string, unknown>;
  keep(answer: SQL): ReturnType<typeof keepAnswer>;
}

/** A new row as it is answered and audited, before the database has numbered it. */
interface NewItem {
  item: Record<string, unknown>;
  keep(answer: SQL): ReturnType<typeof keepAnswer>;
  action: AuditAction;
  audited: object;
  audit: Audit;
}

/**
 * Stores a new row, if every check holds. One trip; a refusal takes a second one, to say why.
 * @param made.keep gives the statements that keep the answer, which is `made.item` with what the database adds
 * @returns null: overtaken by another change, to be tried again
 * @throws Problem that names each check that failed
 */
export async function createRow<Row extends SetUpRow>(
  db: Db,
  t: SetUpTable<Row>,
  next: Row,
  viewer: Viewer,
  made: NewItem,
): Promise<Written<Row> | null> {
  const { id, ...values } = next;
  const isNumbered = t.id.dataType === "number";
  // The database numbers rows upwards, so within the transaction the highest id is the new one.
  const isRow = isNumbered ? sql`${t.id} = (SELECT max(${t.id}) FROM ${t.table})` : sameRow(t, next);
  return await write(
    db,
    t,
    [companyIsThere(next), ...(t.checks?.(next, null) ?? [])],
    [
      ...(t.clear?.(db, next) ?? []),
      db.insert(t.table).values(isNumbered ? values : { ...values, id }),
      ...(t.attach?.(db, next, null) ?? []),
      ...made.keep(keptAnswer(t, made.item, viewer, isRow)),
      made.audit(
        { action: made.action, companyId: t.companyId, objectId: t.id, before: null, after: withId(t, made.audited) },
        sql`FROM ${t.table} WHERE ${isRow}`,
      ),
      db.select(selection(t, viewer)).from(t.table).where(isRow),
    ],
    [null, next],
  );
}

/**
 * Sets `values` of a row, which is `next` then, and stores what belongs to the change, if the row is as `before` still and every
 * check holds. Otherwise as `createRow`.
 */
export async function changeRow<Row extends SetUpRow>(
  db: Db,
  t: SetUpTable<Row>,
  { before, next, values }: { before: Row; next: Row; values: Partial<Row> },
  viewer: Viewer,
  { entry, item, keep }: Change,
): Promise<Written<Row> | null> {
  return await write(
    db,
    t,
    [isUnchanged(t, before), ...(t.checks?.(next, before) ?? [])],
    [
      entry,
      db
        .update(t.table)
        .set({ ...values, updatedAt: next.updatedAt })
        .where(sameRow(t, before)),
      ...(t.attach?.(db, next, before) ?? []),
      ...keep(keptAnswer(t, item, viewer, sameRow(t, before))),
      db.select(selection(t, viewer)).from(t.table).where(sameRow(t, before)),
    ],
    [before, next],
  );
}

/** Deletes a row, and stores the audit entry and what is `kept`, if the row is as `before` still and every check holds. Otherwise as `createRow`. */
export async function removeRow<Row extends SetUpRow>(
  db: Db,
  t: SetUpTable<Row>,
  before: Row,
  entry: ReturnType<Audit>,
  kept: ReturnType<typeof keepAnswer>,
  now: number,
) {
  const values = t.removal?.(before, now) ?? { deletedAt: now };
  const updatedAt = Math.max(now, before.updatedAt + 1);
  return await write(
    db,
    t,
    [isUnchanged(t, before), ...(t.removalChecks?.(before) ?? [])],
    [
      entry,
      ...kept,
      ...(t.detach?.(db, before, now) ?? []),
      db
        .update(t.table)
        .set({ ...values, updatedAt })
        .where(sameRow(t, before)),
    ],
    [before, null],
  );
}

/** Checks that no other row of the company has this value; that of a deleted one may be used again. */
export function isFree(t: KeyColumns, row: SetUpRow, column: SQLiteColumn, value: string, pointer: string): SetUpCheck {
  return {
    status: 409,
    finds: sql`SELECT 1 FROM ${t.table} WHERE ${t.companyId} = ${row.companyId} AND ${column} = ${value}
      AND ${t.deletedAt} IS NULL AND ${t.id} <> ${row.id}`,
    fault: () => ({ pointer, code: "taken", message: "is in use already" }),
  };
}

/** Checks that the company has these rows; `pointerOf` gives the member that names the one at an index. */
export function areThere(
  t: Pick<KeyColumns, "table" | "id" | "companyId" | "deletedAt">,
  companyId: number | null,
  ids: readonly (number | string)[],
  pointerOf: (index: number) => string,
): SetUpCheck {
  return {
    status: 400,
    finds: sql`SELECT wanted.key FROM json_each(${JSON.stringify(ids)}) AS wanted WHERE NOT EXISTS
      (SELECT 1 FROM ${t.table} WHERE ${t.id} = wanted.value AND ${t.companyId} = ${companyId} AND ${t.deletedAt} IS NULL) LIMIT 1`,
    fault: (index) => ({ pointer: pointerOf(Number(index)), code: "not_found", message: "names none of the company's" }),
  };
}

/** Runs a write and the change of its machines' versions as one transaction; the last statement gives the row. */
async function write<Row extends SetUpRow>(
  db: Db,
  t: SetUpTable<Row>,
  checks: readonly SetUpCheck[],
  statements: readonly Statement[],
  change: [before: Row | null, next: Row | null],
): Promise<Written<Row> | null> {
  const versions = versionsOf(db, t, ...change);
  const written = await checkedBatch(db, checks, [...versions, ...statements]);
  if ("failed" in written) {
    const refusal = refusalOf(written.failed);
    if (refusal) throw refusal;
    return null;
  }
  const { results } = written;
  const [row] = change[1] ? asRows<Row>(results.at(-1) ?? []) : [];
  return { row, machines: versions.length > 0 ? ((results[0] ?? []) as Written<Row>["machines"]) : [] };
}

function versionsOf<Row extends SetUpRow>(db: Db, t: SetUpTable<Row>, before: Row | null, next: Row | null) {
  const ids = t.machines?.(before, next) ?? [];
  const companyId = (next ?? before)?.companyId;
  if (ids.length === 0 || typeof companyId !== "number") return [];
  const isOne = ids === "all" ? undefined : sql`${machines.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  return [raiseVersions(db, and(eq(machines.companyId, companyId), isNull(machines.deletedAt), isOne))];
}

function companyIsThere({ companyId }: SetUpRow): SetUpCheck {
  const isThere = sql`EXISTS (SELECT 1 FROM ${companies} WHERE ${companies.id} = ${companyId} AND ${companies.deletedAt} IS NULL)`;
  return {
    status: 404,
    finds: sql`iif(${companyId === null ? sql`1` : isThere}, NULL, 1)`,
    fault: () => ({ pointer: "/companyId", code: "not_found", message: "names no company" }),
  };
}

function isUnchanged(t: KeyColumns, before: SetUpRow): SetUpCheck {
  const isRow = and(sameRow(t, before), isNull(t.deletedAt), eq(t.updatedAt, before.updatedAt));
  return {
    status: "overtaken",
    finds: sql`iif(EXISTS (SELECT 1 FROM ${t.table} WHERE ${isRow}), NULL, 1)`,
    fault: () => ({ pointer: "", code: "overtaken", message: "was changed by someone else at the same time" }),
  };
}

function sameRow(t: KeyColumns, { id, companyId }: SetUpRow): SQL {
  return sql`${t.id} = ${id} AND ${t.companyId} IS ${companyId}`;
}

function seenBy<Row extends SetUpRow>(t: SetUpTable<Row>, companyId: number | undefined): SQL | undefined {
  if (companyId === undefined) return undefined;
  return t.hasSystemRows ? or(eq(t.companyId, companyId), isNull(t.companyId)) : eq(t.companyId, companyId);
}

function selection<Row extends SetUpRow>(t: SetUpTable<Row>, viewer: Viewer) {
  const decoded = (name: string, extra: SQL) => sql`${extra}`.mapWith((json: string): unknown => JSON.parse(json)).as(name);
  const extras = Object.entries(t.extras?.(viewer) ?? {}).map(([name, extra]) => [name, decoded(name, extra)] as const);
  return { ...t.columns, ...Object.fromEntries(extras) };
}

function keptAnswer<Row extends SetUpRow>(t: SetUpTable<Row>, item: Record<string, unknown>, viewer: Viewer, isRow: SQL): SQL {
  const extras = Object.entries(t.extras?.(viewer) ?? {}).map(([name, extra]) => sql`, ${`$.${name}`}, json(${extra})`);
  return sql`(SELECT ${withId(t, item, sql.join(extras))} FROM ${t.table} WHERE ${isRow})`;
}

/** A new row's item as JSON, with the id that the row got. */
function withId(t: KeyColumns, item: object, more = sql``): SQL {
  return sql`json_set(${JSON.stringify(item)}, '$.id', ${t.id}${more})`;
}

/** The one cast of what a table's own columns and extras give. */
function asRows<Row>(rows: readonly unknown[]): Row[] {
  return rows as Row[];
}
