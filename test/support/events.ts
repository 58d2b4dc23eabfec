import { env } from "cloudflare:workers";
import { and, asc, type SQL } from "drizzle-orm";
import { companyDb } from "../../src/db/client.ts";
import { events } from "../../src/db/schema.ts";
import { withNames } from "../../src/events/names.ts";
import { eventOf } from "../../src/events/stored.ts";

/** The stored events that match a condition, with their names, in order. */
export async function readEvents(...where: SQL[]) {
  const db = companyDb(env, "first-primary");
  const rows = await db
    .select()
    .from(events)
    .where(and(...where))
    .orderBy(asc(events.companyId), asc(events.seq));
  return withNames(db, rows.map(eventOf));
}
