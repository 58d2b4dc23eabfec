import { sql } from "drizzle-orm";
import ofDirectory from "../../../drizzle/directory/meta/_journal.json" with { type: "json" };
import ofCompanies from "../../../drizzle/meta/_journal.json" with { type: "json" };
import type { Place } from "../../core/cipher.ts";
import { companyKinds, sharedKinds } from "../../core/retention.ts";
import type { AnyDb, CompanyDb } from "../../db/client.ts";
import { rootOf } from "../../db/errors.ts";
import { chatRooms, keyUses, retention, webhookSecrets, webhookSubscriptions } from "../../db/schema.ts";

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

/**
 * The oldest and the newest sealed text of each kind that are in use, and the keys that texts needed when they were last counted. After a change of
 * the key, the oldest one cannot be opened.
 */
export async function findSealed(db: CompanyDb): Promise<{ texts: { place: Place; sealed: string }[]; keyIds: string[] }> {
  const ofKind = (column: Place[0], id: string, from: ReturnType<typeof sql>) =>
    (["ASC", "DESC"] as const).map(
      (order) => sql`json((SELECT json_array(${column}, ${sql.raw(id)}, ${sql.raw(column)}) FROM ${from}
        ORDER BY rowid ${sql.raw(order)} LIMIT 1))`,
    );
  const texts = [
    ...ofKind("webhook_secrets.sealed_secret", "company_id", sql`${webhookSecrets}`),
    ...ofKind(
      "webhook_subscriptions.sealed_secret",
      "id",
      sql`${webhookSubscriptions} WHERE deleted_at IS NULL AND sealed_secret IS NOT NULL`,
    ),
    ...ofKind("chat_rooms.sealed_url", "id", sql`${chatRooms} WHERE deleted_at IS NULL`),
  ];
  const keyIds = sql`(SELECT json_group_array(${keyUses.keyId}) FROM ${keyUses} WHERE ${keyUses.texts} > 0)`;
  const [found] = await db.all<{ sealed: string; keyIds: string }>(
    sql`SELECT json_array(${sql.join(texts, sql`, `)}) AS sealed, ${keyIds} AS "keyIds"`,
  );
  type Row = [column: Place[0], id: string | number, sealed: string];
  const rows = (JSON.parse(found?.sealed ?? "[]") as (Row | null)[]).filter((row) => row !== null);
  const sealedTexts = rows.map(([column, id, sealed]) => ({ place: [column, id] as Place, sealed }));
  return { texts: sealedTexts, keyIds: JSON.parse(found?.keyIds ?? "[]") };
}

/** Since when the oldest row of each kind is due, or will be, as the jobs last saw it (epoch ms); null: they have not looked yet. */
export async function findOldest(db: CompanyDb): Promise<Map<string, number | null>> {
  const kinds = JSON.stringify([...companyKinds, ...sharedKinds]);
  const oldest = sql`(SELECT min(${retention.oldestAt}) FROM ${retention} WHERE ${retention.kind} = asked.value)`;
  const found = await db.all<{ kind: string; at: number | null }>(
    sql`SELECT asked.value AS kind, ${oldest} AS at FROM json_each(${kinds}) AS asked`,
  );
  return new Map(found.map(({ kind, at }) => [kind, at]));
}
