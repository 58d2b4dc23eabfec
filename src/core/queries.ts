import { and, eq, inArray, isNotNull, isNull, lt, or, type SQLWrapper, sql } from "drizzle-orm";
import { type SQLiteColumn, type SQLiteTable, unionAll } from "drizzle-orm/sqlite-core";
import type { AnyDb, CompanyDb } from "../db/client.ts";
import { byIndex, ifGiven, ifListed, inList } from "../db/conditions.ts";
import {
  apiTokens,
  companies,
  defectReasons,
  gatewayTokens,
  lines,
  machines,
  operators,
  orderRuns,
  type Role,
  shiftParts,
  shifts,
  skus,
  stopCauses,
  users,
  workOrders,
} from "../db/schema.ts";
import type { PlantCalendar } from "../oee/report-buckets.ts";

/** The current state of a user, which tokens are checked against; undefined: no such user. */
export function findAccount(db: CompanyDb, userId: number) {
  return db
    .select({
      userName: users.name,
      companyId: users.companyId,
      role: users.role,
      tokenVersion: users.tokenVersion,
      isActive: users.isActive,
    })
    .from(users)
    .where(eq(users.id, userId))
    .get();
}

/** The unrevoked gateway token of this SHA-256 hash (hex), or undefined. */
export function findGatewayToken(db: CompanyDb, tokenHash: string) {
  return db
    .select({ gatewayTokenId: gatewayTokens.id, companyId: gatewayTokens.companyId })
    .from(gatewayTokens)
    .where(and(eq(gatewayTokens.tokenHash, tokenHash), isNull(gatewayTokens.revokedAt)))
    .get();
}

/**
 * The unrevoked API token of this SHA-256 hash (hex), with the current role and company of its creator (`userId`); undefined if there is none, or its
 * creator is disabled or deleted, unless it belongs to the company.
 */
export function findApiToken(db: CompanyDb, tokenHash: string) {
  const { id, name, companyId, role, isReadOnly, isOfCompany, machineIds, expiresAt, lastUsedAt } = apiTokens;
  const creator = {
    userId: apiTokens.createdBy,
    userName: sql<string>`${users.name}`.as("user_name"),
    creatorRole: sql<Role>`${users.role}`.as("creator_role"),
    creatorCompanyId: sql<number>`${users.companyId}`.as("creator_company_id"),
  };
  return db
    .select({ id, name, companyId, role, isReadOnly, isOfCompany, machineIds, expiresAt, lastUsedAt, ...creator })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.createdBy))
    .where(and(eq(apiTokens.tokenHash, tokenHash), isNull(apiTokens.revokedAt), isBacked))
    .get();
}

/** True for an API token that belongs to its company, or whose creator is active. To be read with its creator. */
export const isBacked = or(eq(apiTokens.isOfCompany, true), and(eq(users.isActive, true), isNull(users.deletedAt)));

/** The statement that records when an API token was used, unless a use after `since` is recorded. */
export function noteApiTokenUse(db: CompanyDb, id: number, at: number, since: number) {
  return db
    .update(apiTokens)
    .set({ lastUsedAt: at })
    .where(and(eq(apiTokens.id, id), or(isNull(apiTokens.lastUsedAt), lt(apiTokens.lastUsedAt, since))));
}

/** The statement that reads whether a company exists. */
export function selectCompany(db: CompanyDb, id: number) {
  return db.select({ id: companies.id }).from(companies).where(eq(companies.id, id));
}

/** The statement that reads the name of a user. */
export function selectUserName(db: CompanyDb, id: number) {
  return db.select({ name: users.name }).from(users).where(eq(users.id, id));
}

/** The names of these operators of a company, in the order of their ids. */
export async function findOperatorNames(db: CompanyDb, companyId: number, ids: readonly number[]): Promise<string[]> {
  const rows = await db
    .select({ name: operators.name })
    .from(operators)
    .where(and(eq(operators.companyId, companyId), inList(operators.id, ids)))
    .orderBy(operators.id);
  return rows.map(({ name }) => name);
}

/** How the reports of a company count days and weeks; undefined: no such company. */
export async function findCalendar(db: CompanyDb, companyId: number): Promise<PlantCalendar | undefined> {
  const { timezone, weekStart, productionDay, hasProductionDays } = companies;
  const row = await db
    .select({ timezone, weekStart, productionDay, hasProductionDays })
    .from(companies)
    .where(eq(companies.id, companyId))
    .get();
  return row && { ...row, hasProductionDays: row.hasProductionDays || row.productionDay !== "calendarDay" };
}

/** The statement that counts the rows of another one. */
export function countRows(db: AnyDb, rows: SQLWrapper) {
  return db.select({ count: sql<number>`count(*)`.as("count") }).from(sql`(${rows.getSQL()})`);
}

/** The machines of a company that have these refs. */
export function selectMachinesOfRefs(db: CompanyDb, companyId: number, refs: readonly string[]) {
  return db
    .select({ id: machines.id, ref: machines.ref })
    .from(machines)
    .where(and(eq(machines.companyId, companyId), inList(machines.ref, refs), isNull(machines.deletedAt)));
}

/** The machines whose numbers are requested. */
export interface Looked {
  /** Undefined: of any company. */
  companyIds: readonly number[] | undefined;
  /** Undefined: of all machines. */
  machineIds?: readonly number[] | undefined;
  /** If set, only the machines that make this order now, regardless of the other members. */
  workOrderId?: string | undefined;
}

/** The machines that have a running shift or order in D1. May contain duplicates. */
export function selectRunning(db: CompanyDb, { companyIds, machineIds, workOrderId }: Looked) {
  const companiesOfMachines =
    machineIds && sql`SELECT ${machines.companyId} FROM ${machines} WHERE ${inList(machines.id, machineIds)}`;
  const ofCompanies = (column: SQLWrapper) =>
    companyIds ? inList(column, companyIds) : companiesOfMachines && sql`${column} IN (${companiesOfMachines})`;
  const inWork = and(ofCompanies(workOrders.companyId), inArray(workOrders.status, ["InProgress", "Paused"]));
  const making = db
    .select({ machineId: sql<number>`${orderRuns.machineId}`.as("machine_id") })
    .from(orderRuns)
    .where(
      and(
        isNull(orderRuns.endAt),
        ifGiven(orderRuns.workOrderId, workOrderId),
        // Found by the orders in work: a search by machine would read all runs that the machines ever had.
        (companyIds ?? machineIds) &&
          sql`${orderRuns.workOrderId} IN (SELECT ${workOrders.id} FROM ${workOrders} WHERE ${inWork})`,
        ifListed(sql`+${orderRuns.machineId}`, machineIds),
      ),
    );
  if (workOrderId !== undefined) return making;
  const inShift = db
    .select({ machineId: sql<number>`${shiftParts.machineId}`.as("machine_id") })
    .from(byIndex(shiftParts, "shift_parts_open"))
    .where(and(isNotNull(shiftParts.openBucket), ofCompanies(shiftParts.companyId), ifListed(shiftParts.machineId, machineIds)));
  return unionAll(inShift, making);
}

/** Ids that a request names, by member. */
export type NamedIds = {
  [Member in
    | "companyId"
    | "machineIds"
    | "lineIds"
    | "shiftIds"
    | "operatorIds"
    | "generalCauseIds"
    | "specificCauseIds"
    | "componentIds"
    | "reasonIds"]?: readonly number[] | undefined;
} & { [Member in "skuIds" | "workOrderIds"]?: readonly string[] | undefined };

/** An id that does not exist in the company, and the member of the request that names it. */
export interface UnknownId {
  member: keyof NamedIds;
  id: number | string;
}

const namedIn: Record<keyof NamedIds, { table: SQLiteTable; id: SQLiteColumn; companyId: SQLiteColumn }> = {
  companyId: { table: companies, id: companies.id, companyId: companies.id },
  machineIds: { table: machines, id: machines.id, companyId: machines.companyId },
  lineIds: { table: lines, id: lines.id, companyId: lines.companyId },
  shiftIds: { table: shifts, id: shifts.id, companyId: shifts.companyId },
  skuIds: { table: skus, id: skus.id, companyId: skus.companyId },
  workOrderIds: { table: workOrders, id: workOrders.id, companyId: workOrders.companyId },
  operatorIds: { table: operators, id: operators.id, companyId: operators.companyId },
  generalCauseIds: { table: stopCauses, id: stopCauses.id, companyId: stopCauses.companyId },
  specificCauseIds: { table: stopCauses, id: stopCauses.id, companyId: stopCauses.companyId },
  componentIds: { table: stopCauses, id: stopCauses.id, companyId: stopCauses.companyId },
  reasonIds: { table: defectReasons, id: defectReasons.id, companyId: defectReasons.companyId },
};

/**
 * The statement that reads the first of some named ids that does not exist in the company (undefined: in any): one row with the id, or with null.
 * Returns null if no ids are named. Deleted objects still exist here, because reports cover the past.
 */
export function selectUnknown(db: CompanyDb, companyId: number | undefined, named: NamedIds) {
  const given = Object.entries(named).filter(([, ids]) => ids !== undefined) as [keyof NamedIds, readonly (number | string)[]][];
  if (given.length === 0) return null;
  const firstUnknown = given.map(([member, ids]) => {
    const { table, id, companyId: owner } = namedIn[member];
    return sql`(SELECT json_object('member', ${member}, 'id', one.value) FROM json_each(${JSON.stringify(ids)}) AS one
      WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${and(sql`${id} = one.value`, ifGiven(owner, companyId))}) LIMIT 1)`;
  });
  const unknown = sql`coalesce(NULL, ${sql.join(firstUnknown, sql`, `)})`;
  const read = (found: string): UnknownId => JSON.parse(found);
  return db.select({ unknown: sql`${unknown}`.mapWith(read).as("unknown") }).from(sql`(SELECT 1)`);
}
