import { and, eq, isNull, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { companies, gatewayTokens, rolePermissions, users } from "../db/schema.ts";

/** The current state of a user, which tokens are checked against; undefined: no such user. */
export function findAccount(db: Db, userId: number) {
  return db
    .select({ companyId: users.companyId, role: users.role, tokenVersion: users.tokenVersion, isActive: users.isActive })
    .from(users)
    .where(eq(users.id, userId))
    .get();
}

/** The unrevoked gateway token of this SHA-256 hash (hex), or undefined. */
export function findGatewayToken(db: Db, tokenHash: string) {
  return db
    .select({ gatewayTokenId: gatewayTokens.id, companyId: gatewayTokens.companyId })
    .from(gatewayTokens)
    .where(and(eq(gatewayTokens.tokenHash, tokenHash), isNull(gatewayTokens.revokedAt)))
    .get();
}

/** The statement that reads whether there is a company. */
export function selectCompany(db: Db, id: number) {
  return db.select({ id: companies.id }).from(companies).where(eq(companies.id, id));
}

/** Every grant, as `role permission`. */
export async function listGrants(db: Db): Promise<Set<string>> {
  const { roleId, permissionId } = rolePermissions;
  const grants = await db.select({ roleId, permissionId }).from(rolePermissions);
  return new Set(grants.map((grant) => `${grant.roleId} ${grant.permissionId}`));
}

/** A company's IANA time zone; undefined: no such company. */
export async function findTimezone(db: Db, companyId: number): Promise<string | undefined> {
  const row = await db.select({ timezone: companies.timezone }).from(companies).where(eq(companies.id, companyId)).get();
  return row?.timezone;
}

/** The statement that counts the rows of another one. */
export function countRows(db: Db, rows: SQLWrapper) {
  return db.select({ count: sql<number>`count(*)`.as("count") }).from(sql`(${rows.getSQL()})`);
}
