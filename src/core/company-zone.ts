import type { CompanyDb } from "../db/client.ts";
import type { PlantCalendar } from "../oee/report-buckets.ts";
import { findCalendar } from "./queries.ts";
import { ShortCache } from "./short-cache.ts";

// Cached because the query that depends on it needs it first: this way a chart takes one trip instead of two.
const calendars = new ShortCache<PlantCalendar>(30_000, 5_000);

/** How the reports of a company count days and weeks, up to 30 s old; undefined: no such company. */
export async function companyCalendar(db: CompanyDb, companyId: number): Promise<PlantCalendar | undefined> {
  const known = calendars.get(String(companyId))?.value;
  if (known) return known;
  const readAt = Date.now();
  const found = await findCalendar(db, companyId);
  if (found) calendars.set(String(companyId), found, readAt);
  return found;
}

/** A company's IANA time zone, up to 30 s old; undefined: no such company. */
export async function companyZone(db: CompanyDb, companyId: number): Promise<string | undefined> {
  return (await companyCalendar(db, companyId))?.timezone;
}
