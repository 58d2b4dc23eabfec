import { ShortCache } from "../../core/short-cache.ts";

// The buckets are made before the database is asked, and a company hardly ever moves: a chart is one trip, not two.
const zones = new ShortCache<string>(30_000, 5_000);

/** A company's IANA time zone, up to 30 s old; undefined when `find` knows no such company. */
export async function companyZone(companyId: number, find: () => Promise<string | undefined>): Promise<string | undefined> {
  const known = zones.get(String(companyId))?.value;
  if (known) return known;
  const readAt = Date.now();
  const found = await find();
  if (found) zones.set(String(companyId), found, readAt);
  return found;
}
