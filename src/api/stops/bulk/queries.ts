import { and, asc, desc, eq, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { ifGiven, inList } from "../../../db/conditions.ts";
import { machines, stopClassifications } from "../../../db/schema.ts";
import type { ListQuery } from "./query.ts";

export type ClassificationRow = typeof stopClassifications.$inferSelect;

export function selectClassification(db: CompanyDb, id: string, companyId: number | undefined) {
  return db
    .select()
    .from(stopClassifications)
    .where(and(eq(stopClassifications.id, id), ifGiven(stopClassifications.companyId, companyId)));
}

export function findClassification(db: CompanyDb, id: string, companyId: number | undefined) {
  return selectClassification(db, id, companyId).get();
}

/** Whether a bulk classification is done and was not undone. */
export function isDone(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${stopClassifications} WHERE ${stopClassifications.id} = ${id} AND ${stopClassifications.state} = 'done')`;
}

export function updateClassification(db: CompanyDb, id: string, row: ClassificationRow) {
  return db.update(stopClassifications).set(row).where(eq(stopClassifications.id, id));
}

/** The bulk classifications of a company (undefined: of all), newest first, one more than the limit. */
export function selectInOrder(db: CompanyDb, { companyId, cursor, limit }: ListQuery & { companyId: number | undefined }) {
  const { createdAt, id } = stopClassifications;
  return db
    .select()
    .from(stopClassifications)
    .where(
      and(ifGiven(stopClassifications.companyId, companyId), cursor && sql`(${createdAt}, ${id}) < (${cursor[0]}, ${cursor[1]})`),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(limit + 1);
}

/** Those of a company that may be taken at an instant, the oldest first. */
export function findDue(db: CompanyDb, companyId: number, at: number) {
  const { nextAt, createdAt } = stopClassifications;
  return db
    .select()
    .from(stopClassifications)
    .where(and(eq(stopClassifications.companyId, companyId), isNotNull(nextAt), lte(nextAt, at)))
    .orderBy(asc(createdAt))
    .limit(1)
    .get();
}

/** The companies that have one which was to be taken at an instant, or before. */
export function selectCompaniesWithDue(db: CompanyDb, at: number) {
  const { nextAt, companyId } = stopClassifications;
  return db
    .selectDistinct({ companyId })
    .from(stopClassifications)
    .where(and(isNotNull(nextAt), lte(nextAt, at)));
}

export function insertClassification(db: CompanyDb, row: ClassificationRow) {
  return db.insert(stopClassifications).values(row);
}

/** Changes a row that nobody else has taken since it was read. Returns whether it did. */
export async function saveClassification(
  db: CompanyDb,
  { id, nextAt }: Pick<ClassificationRow, "id" | "nextAt">,
  change: Partial<ClassificationRow>,
): Promise<boolean> {
  const changed = await db
    .update(stopClassifications)
    .set(change)
    .where(and(eq(stopClassifications.id, id), sql`${stopClassifications.nextAt} IS ${nextAt}`))
    .returning({ id: stopClassifications.id });
  return changed.length > 0;
}

/** The version of the set-up of each machine. */
export function findConfigVersions(db: CompanyDb, machineIds: readonly number[]) {
  return db
    .select({ id: machines.id, configVersion: machines.configVersion })
    .from(machines)
    .where(inList(machines.id, machineIds));
}
