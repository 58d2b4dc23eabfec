import { and, asc, desc, eq, gt, isNull, lt, lte, ne, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { takeId } from "../../../core/sequence.ts";
import type { CompanyDb } from "../../../db/client.ts";
import { ifGiven, inList } from "../../../db/conditions.ts";
import { expect } from "../../../db/expect.ts";
import { importErrors, importMachines, imports, users } from "../../../db/schema.ts";
import type { ImportState } from "../../../db/values.ts";

/** As in the partial index, whose rows are few. */
const isUnderWay = sql.raw("imports.state in ('receiving', 'waiting', 'running', 'undoing')");

export type ImportRow = typeof imports.$inferSelect;

export interface ImportsQuery {
  companyId: number | undefined;
  cursor?: [number] | undefined;
  limit: number;
}

/** The statement that reads imports, newest first, one more than the limit. */
export function selectImportsInOrder(db: CompanyDb, { companyId, cursor, limit }: ImportsQuery) {
  return selectImports(db)
    .where(and(ifGiven(imports.companyId, companyId), cursor && lt(imports.id, cursor[0])))
    .orderBy(desc(imports.id))
    .limit(limit + 1);
}

/** An import of a company (undefined: of any). */
export function selectImport(db: CompanyDb, id: number, companyId: number | undefined) {
  return selectImports(db).where(and(eq(imports.id, id), ifGiven(imports.companyId, companyId)));
}

function selectImports(db: CompanyDb) {
  return db
    .select({ row: imports, userName: sql<string | null>`${users.name}`.as("user_name") })
    .from(imports)
    .leftJoin(users, eq(users.id, imports.userId));
}

/** The statement that reads the errors of an import, in order of their lines, one more than the limit. */
export function selectErrorsInOrder(db: CompanyDb, importId: number, after: number, limit: number) {
  return db
    .select()
    .from(importErrors)
    .where(and(eq(importErrors.importId, importId), gt(importErrors.line, after)))
    .orderBy(asc(importErrors.line))
    .limit(limit + 1);
}

/** The import of a company that goes on next: what has begun comes before what waits. */
export function findNext(db: CompanyDb, companyId: number) {
  return db
    .select()
    .from(imports)
    .where(and(isUnderWay, eq(imports.companyId, companyId), ne(imports.state, "receiving")))
    .orderBy(sql`${imports.state} = 'waiting'`, asc(imports.id))
    .limit(1)
    .get();
}

/** The statement that reads how many imports of a company are under way. */
export function countUnderWay(db: CompanyDb, companyId: number) {
  return db
    .select({ count: sql<number>`count(*)`.as("under_way") })
    .from(imports)
    .where(and(isUnderWay, eq(imports.companyId, companyId)));
}

/** The statement that takes the number of a new import. */
export function takeImportId(db: CompanyDb) {
  return takeId(db, imports);
}

/** The statement that stores a new import. */
export function insertImport(db: CompanyDb, row: typeof imports.$inferInsert) {
  return db.insert(imports).values(row).returning();
}

/** Condition: an import is in a state. */
export function isInState(id: number, state: ImportState) {
  return sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${imports.id} = ${id} AND ${imports.state} = ${state})`;
}

/** The statement that reads how many files of a company are kept, and their bytes. */
export function selectKept(db: CompanyDb, companyId: number) {
  return db
    .select({ files: sql<number>`count(*)`.as("files"), bytes: sql<number>`coalesce(sum(${imports.bytes}), 0)`.as("all_bytes") })
    .from(imports)
    .where(and(eq(imports.companyId, companyId), isNull(imports.fileDeletedAt)));
}

/** The imports that are under way and have not gone on since an instant. */
export function findStalled(db: CompanyDb, before: number) {
  return db
    .select()
    .from(imports)
    .where(and(isUnderWay, lte(imports.updatedAt, before)))
    .all();
}

/** The statement that changes an import, if it still is in a state. */
export function changeImport(db: CompanyDb, id: number, state: ImportState, set: SQLiteUpdateSetSource<typeof imports>) {
  return db
    .update(imports)
    .set(set)
    .where(and(eq(imports.id, id), eq(imports.state, state)));
}

/** The statement that forgets an import whose file did not arrive. */
export function deleteImport(db: CompanyDb, id: number) {
  return db.delete(imports).where(and(eq(imports.id, id), eq(imports.state, "receiving")));
}

export interface NewError {
  line: number;
  offset: number;
  member: string | null;
  code: string;
  message: string;
}

/** What a piece adds to the counts of its import. */
export type Counts = Pick<ImportRow, "accepted" | "duplicates" | "held" | "failed">;

/** Records a piece, all or nothing: not if another run has recorded it. */
export async function recordPiece(
  db: CompanyDb,
  { id, offset }: Pick<ImportRow, "id" | "offset">,
  to: { offset: number; line: number },
  { counts, errors, now }: { counts: Counts; errors: readonly NewError[]; now: number },
): Promise<void> {
  const { accepted, duplicates, held, failed } = imports;
  const isThere = sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${imports.id} = ${id} AND ${imports.state} = 'running' AND ${imports.offset} = ${offset})`;
  const added = {
    accepted: sql`${accepted} + ${counts.accepted}`,
    duplicates: sql`${duplicates} + ${counts.duplicates}`,
    held: sql`${held} + ${counts.held}`,
    failed: sql`${failed} + ${counts.failed}`,
  };
  const rows = errors.map((one) => ({ importId: id, ...one }));
  await db.batch([
    expect(db, [isThere]),
    changeImport(db, id, "running", { ...to, ...added, updatedAt: now }),
    ...(rows.length > 0 ? [insertErrors(db, rows)] : []),
  ]);
}

/** As one parameter: a statement has at most 100. */
function insertErrors(db: CompanyDb, rows: readonly (NewError & { importId: number })[]) {
  const member = (name: string) => sql`value->>${sql.raw(`'${name}'`)}`;
  const values = ["importId", "line", "offset", "member", "code", "message"].map(member);
  return db
    .insert(importErrors)
    .select(sql`SELECT ${sql.join(values, sql`, `)} FROM json_each(${JSON.stringify(rows)}) WHERE true`);
}

/** The statement that notes that machines get events of an import. */
export function addMachines(db: CompanyDb, importId: number, machineIds: readonly number[]) {
  const rows = sql`SELECT CAST(${importId} AS INTEGER), value, null, null FROM json_each(${JSON.stringify(machineIds)}) WHERE true`;
  return db.insert(importMachines).select(rows).onConflictDoNothing();
}

/** Some machines of an import that were not told yet that it ended, or that it was withdrawn. */
export async function findUntold(
  db: CompanyDb,
  importId: number,
  what: "endedAt" | "withdrawnAt",
  limit: number,
): Promise<number[]> {
  const rows = await db
    .select({ machineId: importMachines.machineId })
    .from(importMachines)
    .where(and(eq(importMachines.importId, importId), isNull(importMachines[what])))
    .limit(limit);
  return rows.map(({ machineId }) => machineId);
}

/** The statement that notes that machines were told. */
export function noteTold(
  db: CompanyDb,
  importId: number,
  what: "endedAt" | "withdrawnAt",
  machineIds: readonly number[],
  now: number,
) {
  return db
    .update(importMachines)
    .set({ [what]: now })
    .where(and(eq(importMachines.importId, importId), inList(importMachines.machineId, machineIds)));
}

/** Some imports whose files are older than an instant. */
export function findOldFiles(db: CompanyDb, before: number, limit: number) {
  return db
    .select({ id: imports.id, companyId: imports.companyId })
    .from(imports)
    .where(and(isNull(imports.fileDeletedAt), lte(imports.createdAt, before), sql`NOT (${isUnderWay})`))
    .orderBy(asc(imports.createdAt))
    .limit(limit)
    .all();
}

/** Notes that the files of imports are deleted, and deletes their errors. */
export async function forgetFiles(db: CompanyDb, ids: readonly number[], now: number): Promise<void> {
  await db.batch([
    db.delete(importErrors).where(inList(importErrors.importId, ids)),
    db.update(imports).set({ fileDeletedAt: now }).where(inList(imports.id, ids)),
  ]);
}
