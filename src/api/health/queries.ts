import { sql } from "drizzle-orm";
import journal from "../../../drizzle/meta/_journal.json" with { type: "json" };
import type { Db } from "../../db/client.ts";
import { rootOf } from "../../db/errors.ts";

const newestMigration = `${journal.entries.at(-1)?.tag}.sql`;

/** True if the database has the newest migration that this code knows. Throws if the database does not answer. */
export async function isMigrated(db: Db): Promise<boolean> {
  const query = sql`SELECT name FROM d1_migrations WHERE name = ${newestMigration}`;
  try {
    return (await db.all(query)).length > 0;
  } catch (error) {
    if (String(rootOf(error as Error)).includes("no such table")) return false;
    throw error;
  }
}
