import { and, eq, getTableColumns, isNotNull, isNull, sql } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { apiTokens, companies, gatewayTokens, machines, reportSubscriptions, users } from "../../../db/schema.ts";
import type { Condition, Owner, SetUpTable } from "../../../resource/queries.ts";

/** A row of a company, which belongs to itself. */
export type CompanyRow = typeof companies.$inferSelect & { companyId: number };

const { id, updatedAt, deletedAt } = companies;
const columns = { ...getTableColumns(companies), companyId: sql<number>`${id}`.as("company_id") };

export const companyTable: SetUpTable = {
  ...{ table: companies, id, companyId: id, updatedAt, deletedAt },
  columns: () => columns,
};

/** The statement that counts a company's machines. */
export function selectMachineCount(db: CompanyDb, companyId: Owner) {
  const count = sql<number>`count(*)`.as("machine_count");
  return db.select({ count }).from(machines).where(isMachineOf(companyId));
}

/** Condition: the company has no machine. */
export function hasNoMachine(companyId: number): Condition {
  return sql`NOT EXISTS (SELECT 1 FROM ${machines} WHERE ${isMachineOf(sql`${companyId}`)})`;
}

/** The statements that revoke the access of a company's users, gateways and programs. */
export function signOutCompany(db: CompanyDb, companyId: number, now: number) {
  return [
    db
      .update(users)
      .set({ isActive: false, deletedAt: now, updatedAt: now })
      .where(and(eq(users.companyId, companyId), isNull(users.deletedAt))),
    db
      .update(gatewayTokens)
      .set({ revokedAt: now, updatedAt: now })
      .where(and(eq(gatewayTokens.companyId, companyId), isNull(gatewayTokens.revokedAt))),
    db
      .update(apiTokens)
      .set({ revokedAt: now, updatedAt: now })
      .where(and(eq(apiTokens.companyId, companyId), isNull(apiTokens.revokedAt))),
  ];
}

function isMachineOf(companyId: Owner) {
  return sql`${machines.companyId} = ${companyId} AND ${machines.deletedAt} IS NULL`;
}

/** The statement that makes all subscriptions of a company due for rescheduling: their times have another meaning in another time zone. */
export function rescheduleAll(db: CompanyDb, companyId: number, now: number) {
  const { nextRunAt, isActive, deletedAt } = reportSubscriptions;
  const isOne = and(eq(reportSubscriptions.companyId, companyId), isNotNull(nextRunAt), eq(isActive, true), isNull(deletedAt));
  return db.update(reportSubscriptions).set({ nextRunAt: now }).where(isOne);
}
