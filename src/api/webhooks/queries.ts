import { eq, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { webhookSecrets } from "../../db/schema.ts";
import type { Audit } from "../../http/old-audit.ts";

/** The company's sealed secret: the one given here, if it had none. One trip. */
export async function keepSecret(db: Db, companyId: number, sealedSecret: string, audit: Audit, now: number): Promise<string> {
  const isCompanys = eq(webhookSecrets.companyId, companyId);
  const [, , [kept]] = await db.batch([
    audit(
      { action: "webhook-secret.create", companyId, objectId: companyId, before: null, after: {} },
      sql`WHERE NOT EXISTS (SELECT 1 FROM ${webhookSecrets} WHERE ${isCompanys})`,
    ),
    db.insert(webhookSecrets).values({ companyId, sealedSecret, createdAt: now }).onConflictDoNothing(),
    db.select({ sealedSecret: webhookSecrets.sealedSecret }).from(webhookSecrets).where(isCompanys),
  ]);
  if (!kept) throw new Error("an inserted row is not there");
  return kept.sealedSecret;
}
