import { selectIgnored } from "../api/ingest/signals/queries.ts";
import { companyDb } from "../db/client.ts";
import type { IgnoredChannel } from "../db/values.ts";

/** The channels that a company ignores. */
export async function findIgnored(env: Env, companyId: number): Promise<IgnoredChannel[]> {
  // A replica may not have the change yet.
  const [company] = await selectIgnored(companyDb(env, "first-primary"), companyId);
  return company?.ignored ?? [];
}
