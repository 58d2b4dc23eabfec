import { sql } from "drizzle-orm";
import ofDirectory from "../../../drizzle/directory/meta/_journal.json" with { type: "json" };
import ofCompanies from "../../../drizzle/meta/_journal.json" with { type: "json" };
import type { AnyDb, Db } from "../../db/client.ts";
import { rootOf } from "../../db/errors.ts";
import { chatRooms, webhookSecrets, webhookSubscriptions } from "../../db/schema.ts";

const newest = {
  companies: `${ofCompanies.entries.at(-1)?.tag}.sql`,
  directory: `${ofDirectory.entries.at(-1)?.tag}.sql`,
};

/** True if the database has the newest migration that this code knows. Throws if the database does not answer. */
export async function isMigrated(db: AnyDb): Promise<boolean> {
  const query = sql`SELECT name FROM d1_migrations WHERE name = ${newest[db.has]}`;
  try {
    return (await db.all(query)).length > 0;
  } catch (error) {
    if (String(rootOf(error as Error)).includes("no such table")) return false;
    throw error;
  }
}

/** The oldest and the newest sealed text of each kind that are in use. After a change of the key, the oldest one cannot be opened. */
export async function findSealed(db: Db): Promise<string[]> {
  const ofKind = (column: string, from: ReturnType<typeof sql>) =>
    (["ASC", "DESC"] as const).map(
      (order) => sql`(SELECT ${sql.raw(column)} FROM ${from} ORDER BY rowid ${sql.raw(order)} LIMIT 1)`,
    );
  const texts = [
    ...ofKind("sealed_secret", sql`${webhookSecrets}`),
    ...ofKind("sealed_secret", sql`${webhookSubscriptions} WHERE deleted_at IS NULL AND sealed_secret IS NOT NULL`),
    ...ofKind("sealed_url", sql`${chatRooms} WHERE deleted_at IS NULL`),
  ];
  const [found] = await db.all<{ sealed: string }>(sql`SELECT json_array(${sql.join(texts, sql`, `)}) AS sealed`);
  return (JSON.parse(found?.sealed ?? "[]") as (string | null)[]).filter((text) => text !== null);
}
