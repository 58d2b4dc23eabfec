import { ShortCache } from "../../core/short-cache.ts";

// Cached because the buckets have to be known before the query: a chart takes one trip instead of two.
const zones = new ShortCache<string>(30_000, 5_000);

/** A company's IANA time zone, up to 30 s old; undefined: no such company. */
export async function companyZone(companyId: number, find: () => Promise<string | undefined>): Promise<string | undefined> {
  const known = zones.get(String(companyId))?.value;
  if (known) return known;
  const readAt = Date.now();
  const found = await find();
  if (found) zones.set(String(companyId), found, readAt);
  return found;
}
