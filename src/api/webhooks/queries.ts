import { eq } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { webhookSecrets } from "../../db/schema.ts";

/** The company's sealed secret: the one given here, if it had none. One trip. */
export async function keepSecret(db: Db, companyId: number, sealedSecret: string, now: number): Promise<string> {
  const [, [kept]] = await db.batch([
    db.insert(webhookSecrets).values({ companyId, sealedSecret, createdAt: now }).onConflictDoNothing(),
    db.select({ sealedSecret: webhookSecrets.sealedSecret }).from(webhookSecrets).where(eq(webhookSecrets.companyId, companyId)),
  ]);
  if (!kept) throw new Error("an inserted row is not there");
  return kept.sealedSecret;
}
