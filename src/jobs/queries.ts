import { and, eq, getTableName, gt, isNotNull, isNull, lt, not, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { SealedColumn } from "../core/cipher.ts";
import type { CompanyDb } from "../db/client.ts";
import { inList } from "../db/conditions.ts";
import {
  apiTokens,
  chatRooms,
  companies,
  dashboards,
  forgottenPictures,
  gatewayTokens,
  keyUses,
  machines,
  notifications,
  shiftParts,
  users,
  webhookSecrets,
  webhookSubscriptions,
  widgets,
} from "../db/schema.ts";
import { DAY_MS } from "../oee/time.ts";

/** Up to `limit` machines whose objects have not applied their newest set-up. Includes deleted machines: their ledgers must be ended. */
export function findUnconfiguredMachines(db: CompanyDb, limit: number) {
  return (
    db
      .select({ machineId: machines.id, companyId: machines.companyId })
      .from(machines)
      .where(lt(machines.configuredVersion, machines.configVersion))
      // In random order, so that machines that always fail do not hold up the others.
      .orderBy(sql`random()`)
      .limit(limit)
  );
}

/** Up to `limit` machines that D1 shows in a shift that ended before `endedBefore` (epoch ms). */
export function findOverdueMachines(db: CompanyDb, endedBefore: number, limit: number) {
  return (
    db
      .selectDistinct({ machineId: shiftParts.machineId })
      .from(shiftParts)
      .where(and(isNotNull(shiftParts.openBucket), lt(shiftParts.shiftEnd, endedBefore)))
      // As above.
      .orderBy(sql`random()`)
      .limit(limit)
  );
}

/** The machines of one of `parts` parts of about the same size. */
export function findMachinesOfPart(db: CompanyDb, part: number, parts: number) {
  return db
    .select({ machineId: machines.id })
    .from(machines)
    .where(and(isNull(machines.deletedAt), sql`${machines.id} % ${parts} = ${part}`));
}

/** Stores a notification for each superuser, unless it has one with this key. */
export async function notifySuperusers(
  db: CompanyDb,
  { key, title, body, at }: { key: string; title: string; body: string; at: number },
): Promise<void> {
  const isOne = and(eq(users.role, "superuser"), eq(users.isActive, true), isNull(users.deletedAt));
  await db
    .insert(notifications)
    .select(sql`SELECT ${`${key}:`} || ${users.id}, ${users.id}, ${title}, ${body}, NULL, ${at} FROM ${users} WHERE ${isOne}`)
    .onConflictDoNothing();
}

/**
 * Marks those of the pictures that are unused as forgotten at `now`, so that no row can use them any more, and returns their keys. What is
 * deleted keeps its picture, since it can be restored.
 */
export async function markUnused(db: CompanyDb, keys: readonly string[], now: number): Promise<string[]> {
  if (keys.length === 0) return [];
  const key = sql.raw("asked.value");
  const shows = [
    sql`SELECT 1 FROM ${widgets} WHERE ${widgets.thumbnailKey} = ${key}`,
    sql`SELECT 1 FROM ${widgets} WHERE ${widgets.compressedThumbnailKey} = ${key}`,
    sql`SELECT 1 FROM ${dashboards} WHERE ${dashboards.thumbnailKey} = ${key}`,
    sql`SELECT 1 FROM ${dashboards} WHERE ${dashboards.compressedThumbnailKey} = ${key}`,
  ];
  const unused = sql.join(
    shows.map((row) => sql`NOT EXISTS (${row})`),
    sql` AND `,
  );
  const marked = await db
    .insert(forgottenPictures)
    .select(sql`SELECT ${key}, ${now} FROM json_each(${JSON.stringify(keys)}) AS asked WHERE ${unused}`)
    .onConflictDoUpdate({ target: forgottenPictures.key, set: { at: now } })
    .returning({ key: forgottenPictures.key });
  return marked.map((row) => row.key);
}

/** A sealed text and its place. */
export interface Sealed {
  column: SealedColumn;
  id: number | string;
  sealed: string;
}

/** Where the texts of each column are. `member`: the column's name in the schema. */
const sealedIn: Record<SealedColumn, { table: SQLiteTable; id: SQLiteColumn; sealed: SQLiteColumn; member: string }> = {
  "webhook_secrets.sealed_secret": {
    ...{ table: webhookSecrets, id: webhookSecrets.companyId, sealed: webhookSecrets.sealedSecret, member: "sealedSecret" },
  },
  "webhook_secrets.previous_sealed_secret": {
    ...{ table: webhookSecrets, id: webhookSecrets.companyId },
    ...{ sealed: webhookSecrets.previousSealedSecret, member: "previousSealedSecret" },
  },
  "webhook_subscriptions.sealed_secret": {
    ...{ table: webhookSubscriptions, id: webhookSubscriptions.id },
    ...{ sealed: webhookSubscriptions.sealedSecret, member: "sealedSecret" },
  },
  "webhook_subscriptions.previous_sealed_secret": {
    ...{ table: webhookSubscriptions, id: webhookSubscriptions.id },
    ...{ sealed: webhookSubscriptions.previousSealedSecret, member: "previousSealedSecret" },
  },
  "chat_rooms.sealed_url": { table: chatRooms, id: chatRooms.id, sealed: chatRooms.sealedUrl, member: "sealedUrl" },
};

/** How long a key that nothing needs any more is listed. */
const UNUSED_LISTED_MS = 90 * DAY_MS;

/** The keys and their uses, as they were last counted. */
export function selectKeyUses(db: CompanyDb) {
  return db.select().from(keyUses);
}

/** Reads up to `limit` of the texts that were sealed with another key, in random order, so that those that cannot be opened do not hold up the others. */
export async function selectSealedOtherwise(db: CompanyDb, keyId: string, limit: number): Promise<Sealed[]> {
  const texts = Object.entries(sealedIn).map(
    ([column, { table, id, sealed }]) => sql`SELECT ${column} AS "column", ${id} AS id, ${sealed} AS sealed FROM ${table}
      WHERE ${sealed} IS NOT NULL AND substr(${sealed}, 1, 10) <> ${`v1.${keyId}.`}`,
  );
  return await db.all<Sealed>(sql`SELECT * FROM (${sql.join(texts, sql` UNION ALL `)}) ORDER BY random() LIMIT ${limit}`);
}

/** The statements that replace sealed texts, unless they have changed meanwhile. */
export function replaceSealed(db: CompanyDb, texts: readonly (Sealed & { next: string })[]) {
  return Object.entries(sealedIn).flatMap(([column, { table, id, sealed, member }]) => {
    const own = texts.filter((text) => text.column === column).map((text) => [text.id, text.sealed, text.next]);
    if (own.length === 0) return [];
    const list = JSON.stringify(own);
    // With the table's name: `json_each` has a column `id`, too.
    const row = sql`${sql.raw(getTableName(table))}.${sql.identifier(id.name)}, ${sql.raw(getTableName(table))}.${sql.identifier(sealed.name)}`;
    const next = sql`(SELECT value->>2 FROM json_each(${list}) WHERE (value->>0, value->>1) = (${row}))`;
    const isOne = sql`(${row}) IN (SELECT value->>0, value->>1 FROM json_each(${list}))`;
    return [
      db
        .update(table)
        .set({ [member]: next })
        .where(isOne),
    ];
  });
}

/** Counts the sealed texts by key. */
export async function countSealed(db: CompanyDb): Promise<{ keyId: string; texts: number }[]> {
  const keys = Object.values(sealedIn).map(
    ({ table, sealed }) =>
      sql`SELECT iif(substr(${sealed}, 1, 3) = 'v1.', substr(${sealed}, 4, 6), '') AS "keyId" FROM ${table} WHERE ${sealed} IS NOT NULL`,
  );
  return await db.all(sql`SELECT "keyId", count(*) AS texts FROM (${sql.join(keys, sql` UNION ALL `)}) GROUP BY "keyId"`);
}

/** The statements that store how many texts each key has sealed. */
export function saveKeyUses(db: CompanyDb, currentId: string, counted: readonly { keyId: string; texts: number }[], now: number) {
  const rows = [...counted, ...(counted.some(({ keyId }) => keyId === currentId) ? [] : [{ keyId: currentId, texts: 0 }])];
  const inUse = rows.filter(({ texts }) => texts > 0).map(({ keyId }) => keyId);
  return [
    db
      .update(keyUses)
      .set({ texts: 0, isCurrent: false, unusedSince: sql`coalesce(${keyUses.unusedSince}, ${now})`, countedAt: now })
      .where(not(inList(keyUses.keyId, inUse))),
    ...rows.map(({ keyId, texts }) => {
      const values = { isCurrent: keyId === currentId, texts, countedAt: now };
      const since = texts > 0 ? null : sql`coalesce(${keyUses.unusedSince}, ${now})`;
      return db
        .insert(keyUses)
        .values({ keyId, ...values, unusedSince: texts > 0 ? null : now })
        .onConflictDoUpdate({ target: keyUses.keyId, set: { ...values, unusedSince: since } });
    }),
    db.delete(keyUses).where(and(eq(keyUses.isCurrent, false), lt(keyUses.unusedSince, now - UNUSED_LISTED_MS))),
  ];
}

/** The last row that is known: the number by which rows are followed, and its id. */
interface After {
  until: number;
  id: number;
}

/** The statement that reads companies in the order of their ids. */
export function selectCompaniesAfter(db: CompanyDb, { until }: After, limit: number) {
  const { id, jurisdiction } = companies;
  return db
    .select({ until: sql<number>`${id}`.as("until"), id, jurisdiction })
    .from(companies)
    .where(gt(id, until))
    .orderBy(id)
    .limit(limit);
}

/** The statement that reads users in the order of their last change. */
export function selectUsersAfter(db: CompanyDb, after: After, limit: number) {
  const { id, companyId, email, updatedAt, deletedAt } = users;
  return db
    .select({ until: updatedAt, id, companyId, email, isDeleted: isNotNull(deletedAt).mapWith(Boolean).as("is_deleted") })
    .from(users)
    .where(sql`(${updatedAt}, ${id}) > (${after.until}, ${after.id})`)
    .orderBy(updatedAt, id)
    .limit(limit);
}

/** The statement that reads gateway or API tokens in the order of their ids. */
export function selectTokensAfter(db: CompanyDb, kind: "gateway-tokens" | "api-tokens", { until }: After, limit: number) {
  const table = kind === "api-tokens" ? apiTokens : gatewayTokens;
  const { id, companyId, tokenHash } = table;
  return db
    .select({ until: sql<number>`${id}`.as("until"), id, companyId, tokenHash })
    .from(table)
    .where(gt(id, until))
    .orderBy(id)
    .limit(limit);
}
