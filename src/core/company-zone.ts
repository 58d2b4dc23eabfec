import type { CompanyDb } from "../db/client.ts";
import { findTimezone } from "./queries.ts";
import { ShortCache } from "./short-cache.ts";

// Cached because the query that depends on it needs it first: this way a chart takes one trip instead of two.
const zones = new ShortCache<string>(30_000, 5_000);

/** A company's IANA time zone, up to 30 s old; undefined: no such company. */
export async function companyZone(db: CompanyDb, companyId: number): Promise<string | undefined> {
  const known = zones.get(String(companyId))?.value;
  if (known) return known;
  const readAt = Date.now();
  const found = await findTimezone(db, companyId);
  if (found) zones.set(String(companyId), found, readAt);
  return found;
}
