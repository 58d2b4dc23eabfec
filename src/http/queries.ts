import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { gatewayTokens, users } from "../db/schema.ts";

/** What a token is checked against: the user as of now, or undefined. */
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
