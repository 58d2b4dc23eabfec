import { and, eq, isNull, sql } from "drizzle-orm";
import { isBacked } from "../core/queries.ts";
import type { CompanyDb } from "../db/client.ts";
import { inList } from "../db/conditions.ts";
import { apiTokens, companies, type Role, users } from "../db/schema.ts";

/** The statement that reads the jurisdiction of a company. */
export function selectJurisdiction(db: CompanyDb, companyId: number) {
  const { id, jurisdiction } = companies;
  return db.select({ companyId: id, jurisdiction }).from(companies).where(eq(id, companyId));
}

/** Finds the users and the unrevoked API tokens with these ids. One trip. */
export async function findRights(db: CompanyDb, userIds: readonly number[], apiTokenIds: readonly number[]) {
  // A token of the company keeps its own role, whatever becomes of its creator.
  const creator = { creatorRole: sql<Role>`iif(${apiTokens.isOfCompany}, ${apiTokens.role}, ${users.role})`.as("creator_role") };
  const [accounts, tokens] = await db.batch([
    db
      .select({
        id: users.id,
        companyId: users.companyId,
        role: users.role,
        tokenVersion: users.tokenVersion,
        isActive: users.isActive,
      })
      .from(users)
      .where(inList(users.id, userIds)),
    db
      .select({ id: apiTokens.id, role: apiTokens.role, expiresAt: apiTokens.expiresAt, ...creator })
      .from(apiTokens)
      .innerJoin(users, eq(users.id, apiTokens.createdBy))
      .where(and(inList(apiTokens.id, apiTokenIds), isNull(apiTokens.revokedAt), isBacked)),
  ]);
  return { accounts, tokens };
}
