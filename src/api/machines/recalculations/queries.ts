import { and, asc, desc, eq, getTableColumns, inArray, isNotNull, isNull, lt, lte, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { ifGiven, inList } from "../../../db/conditions.ts";
import { jsonRows } from "../../../db/json-rows.ts";
import { endRecalculation } from "../../../db/recalculating.ts";
import { machines, recalculationMachines, recalculations, users } from "../../../db/schema.ts";
import type { RecalculationQuery } from "./query.ts";

export type RecalculationRow = Awaited<ReturnType<typeof selectRecalculation>>[number];
export type RecalculationMachineRow = Awaited<ReturnType<typeof selectRecalculationMachines>>[number];

/** How its machines have come, in one reading of their rows, as a JSON array: their ids, how many have ended and failed, changed records. */
const sumsOfMachines = sql<string>`(SELECT json_array(json_group_array(one.machine_id), count(*) FILTER (WHERE one.state IN ('done', 'failed')),
    count(*) FILTER (WHERE one.state = 'failed'), coalesce(sum(one.changed_records), 0))
  FROM recalculation_machines AS one WHERE one.recalculation_id = ${recalculations.id})`;

function selectAll(db: CompanyDb) {
  return db
    .select({
      ...getTableColumns(recalculations),
      createdByName: sql<string | null>`${users.name}`.as("created_by_name"),
      sums: sumsOfMachines.as("sums"),
    })
    .from(recalculations)
    .leftJoin(users, eq(users.id, recalculations.createdBy));
}

/** The statement that reads the recalculations that match a query, newest first, one more than its limit. */
export function selectRecalculations(db: CompanyDb, { companyId, isOpen, cursor, limit }: RecalculationQuery) {
  return selectAll(db)
    .where(
      and(
        ifGiven(recalculations.companyId, companyId),
        isOpen === undefined ? undefined : (isOpen ? isNull : isNotNull)(recalculations.endedAt),
        cursor && lt(recalculations.id, cursor[0]),
      ),
    )
    .orderBy(desc(recalculations.id))
    .limit(limit + 1);
}

/** The statement that reads a recalculation of a company (undefined: of any). */
export function selectRecalculation(db: CompanyDb, id: number, companyId: number | undefined) {
  return selectAll(db).where(and(eq(recalculations.id, id), ifGiven(recalculations.companyId, companyId)));
}

/** The statement that reads how far the machines of a recalculation have come. */
export function selectRecalculationMachines(db: CompanyDb, id: number) {
  return db
    .select({ ...getTableColumns(recalculationMachines), machineName: sql<string>`${machines.name}`.as("machine_name") })
    .from(recalculationMachines)
    .innerJoin(machines, eq(machines.id, recalculationMachines.machineId))
    .where(eq(recalculationMachines.recalculationId, id))
    .orderBy(asc(machines.name), asc(machines.id));
}

/** The statement that reads machines of a company. */
export function selectMachines(db: CompanyDb, companyId: number, ids: readonly number[]) {
  return db
    .select({ id: machines.id, name: machines.name, commissionedAt: machines.commissionedAt })
    .from(machines)
    .where(and(inList(machines.id, ids), eq(machines.companyId, companyId), isNull(machines.deletedAt)));
}

/** The statements that store a recalculation of machines. */
export function insertRecalculation(db: CompanyDb, row: typeof recalculations.$inferInsert, machineIds: readonly number[]) {
  const rows = machineIds.map((machineId) => {
    return {
      recalculationId: row.id,
      machineId,
      state: "requested",
      reachedAt: null,
      changedRecords: 0,
      updatedAt: row.createdAt,
    };
  });
  return [db.insert(recalculations).values(row), db.insert(recalculationMachines).select(jsonRows(recalculationMachines, rows))];
}

/** The most machines that are asked again at once. */
const ASKED_AGAIN = 500;

export type Requested = Awaited<ReturnType<typeof selectRequested>>[number];

/** The statement that reads which machines were to be asked until an instant, and did not hear it. */
export function selectRequested(db: CompanyDb, until: number) {
  return db
    .select({
      id: recalculations.id,
      companyId: recalculations.companyId,
      machineId: recalculationMachines.machineId,
      from: recalculations.fromAt,
      to: recalculations.toAt,
    })
    .from(recalculationMachines)
    .innerJoin(recalculations, eq(recalculations.id, recalculationMachines.recalculationId))
    .where(and(sql`state = 'requested'`, lte(recalculationMachines.updatedAt, until)))
    .limit(ASKED_AGAIN);
}

/** Records that there are no such machines any more. */
export async function failMachines(db: CompanyDb, id: number, machineIds: readonly number[], now: number): Promise<void> {
  const which = and(
    eq(recalculationMachines.recalculationId, id),
    inList(recalculationMachines.machineId, machineIds),
    inArray(recalculationMachines.state, ["requested"]),
  );
  await db.batch([
    db.update(recalculationMachines).set({ state: "failed", updatedAt: now }).where(which),
    endRecalculation(db, id, now),
  ]);
}

// Dry runs.

export type DryRunRow = typeof recalculations.$inferSelect;

/** The companies that have a dry run which was to go on at an instant, or before. */
export function selectCompaniesWithDryRuns(db: CompanyDb, at: number) {
  return db.selectDistinct({ companyId: recalculations.companyId }).from(recalculations).where(isDue(at));
}

/** The dry run of a company that may be taken at an instant, the oldest first. */
export function findDueDryRun(db: CompanyDb, companyId: number, at: number) {
  return db
    .select()
    .from(recalculations)
    .where(and(eq(recalculations.companyId, companyId), isDue(at)))
    .orderBy(asc(recalculations.nextAt))
    .limit(1)
    .get();
}

function isDue(at: number) {
  return and(isNotNull(recalculations.nextAt), lte(recalculations.nextAt, at));
}

/** Says when a dry run goes on, unless somebody else has taken it since it was read. Returns whether it did. */
export async function takeDryRun(db: CompanyDb, { id, nextAt }: Pick<DryRunRow, "id" | "nextAt">, next: number | null) {
  const taken = await db
    .update(recalculations)
    .set({ nextAt: next })
    .where(and(eq(recalculations.id, id), sql`${recalculations.nextAt} IS ${nextAt}`))
    .returning({ id: recalculations.id });
  return taken.length > 0;
}

const openStates = ["waiting", "replaying"] as const;

/** The machines of a dry run that have not come to the end. */
export async function findOpenMachines(db: CompanyDb, id: number, limit: number): Promise<number[]> {
  const { machineId, recalculationId, state } = recalculationMachines;
  const rows = await db
    .select({ machineId })
    .from(recalculationMachines)
    .where(and(eq(recalculationId, id), inArray(state, openStates)))
    .orderBy(asc(recalculationMachines.updatedAt), asc(machineId))
    .limit(limit);
  return rows.map((row) => row.machineId);
}

/** The statement that says how far a machine has come in a dry run. */
export function updateMachine(
  db: CompanyDb,
  id: number,
  machineId: number,
  change: Partial<typeof recalculationMachines.$inferInsert>,
) {
  const isOne = and(eq(recalculationMachines.recalculationId, id), eq(recalculationMachines.machineId, machineId));
  return db
    .update(recalculationMachines)
    .set(change)
    .where(and(isOne, inArray(recalculationMachines.state, openStates)));
}

/** The statement after which the machines of a dry run that have not come to the end have failed. */
export function failOpenMachines(db: CompanyDb, id: number, now: number) {
  return db
    .update(recalculationMachines)
    .set({ state: "failed", updatedAt: now })
    .where(and(eq(recalculationMachines.recalculationId, id), inArray(recalculationMachines.state, openStates)));
}
