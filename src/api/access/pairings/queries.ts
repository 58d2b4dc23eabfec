import { and, eq, isNull } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { apiTokens, gatewayTokens } from "../../../db/schema.ts";

/** The unrevoked API token with this SHA-256 hash (hex); undefined if there is none. */
export function findDisplayToken(db: CompanyDb, tokenHash: string) {
  const { name, companyId, machineIds } = apiTokens;
  return db
    .select({ name, companyId, machineIds })
    .from(apiTokens)
    .where(and(eq(apiTokens.tokenHash, tokenHash), isNull(apiTokens.revokedAt)))
    .get();
}

/** Whether there is, or was, a gateway token with this SHA-256 hash (hex). */
export async function hasGatewayToken(db: CompanyDb, tokenHash: string): Promise<boolean> {
  const { id } = gatewayTokens;
  return (await db.select({ id }).from(gatewayTokens).where(eq(gatewayTokens.tokenHash, tokenHash)).get()) !== undefined;
}
