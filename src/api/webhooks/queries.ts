import { eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { webhookSecrets } from "../../db/schema.ts";

/** The statement that reads a company's sealed secret: none or one row. */
export function selectSecret(db: Db, companyId: number) {
  return db
    .select({ sealedSecret: webhookSecrets.sealedSecret })
    .from(webhookSecrets)
    .where(eq(webhookSecrets.companyId, companyId));
}

/** Holds while a company has no secret. */
export function hasNoSecret(companyId: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${webhookSecrets} WHERE ${webhookSecrets.companyId} = ${companyId})`;
}

/** The statement that stores a company's secret. */
export function insertSecret(db: Db, secret: typeof webhookSecrets.$inferSelect) {
  return db.insert(webhookSecrets).values(secret);
}
