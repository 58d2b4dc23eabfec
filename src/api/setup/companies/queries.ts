import { and, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { companies, gatewayTokens, machines, users } from "../../../db/schema.ts";
import type { SetUpTable } from "../queries.ts";

/** A company is its own company. */
export type CompanyRow = typeof companies.$inferSelect & { companyId: number };

export const companyTable: SetUpTable<CompanyRow> = {
  table: companies,
  id: companies.id,
  companyId: companies.id,
  updatedAt: companies.updatedAt,
  deletedAt: companies.deletedAt,
  columns: { ...getTableColumns(companies), companyId: sql<number>`${companies.id}`.as("company_id") },
  removalChecks: ({ id }) => [
    {
      status: 409,
      finds: sql`SELECT count(*) FROM ${machines} WHERE ${machines.companyId} = ${id} AND ${machines.deletedAt} IS NULL
        HAVING count(*) > 0`,
      fault: (count) => ({ pointer: "", code: "in_use", message: `the company has ${count} machines: delete them first` }),
    },
  ],
  detach: (db, { id }, now) => [
    db
      .update(users)
      .set({ isActive: false, deletedAt: now, updatedAt: now })
      .where(and(eq(users.companyId, id), isNull(users.deletedAt))),
    db
      .update(gatewayTokens)
      .set({ revokedAt: now, updatedAt: now })
      .where(and(eq(gatewayTokens.companyId, id), isNull(gatewayTokens.revokedAt))),
  ],
  machines(before, next) {
    if (!before || !next) return [];
    return before.timezone !== next.timezone || before.signOutAtShiftEnd !== next.signOutAtShiftEnd ? "all" : [];
  },
};
