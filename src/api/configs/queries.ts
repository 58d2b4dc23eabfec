import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { userConfigs, users } from "../../db/schema.ts";
import type { Audit } from "../../http/old-audit.ts";

// The audit tells the length of a config alone: what is in it is its user's.

/** Deletes the config that a company's user has there, if any. One trip. False: the company has no such user. */
export async function deleteUserConfig(db: Db, userId: number, companyId: number, audit: Audit): Promise<boolean> {
  const isMember = and(eq(users.id, userId), eq(users.companyId, companyId));
  const isMembers = and(isConfig(userId, companyId), sql`EXISTS (SELECT 1 FROM ${users} WHERE ${isMember})`);
  const [members] = await db.batch([
    db.select({ id: users.id }).from(users).where(isMember),
    audit(
      { action: "config.delete", companyId, objectId: userId, before: lengthJson, after: null },
      sql`FROM ${userConfigs} WHERE ${isMembers}`,
    ),
    db.delete(userConfigs).where(isMembers),
  ]);
  return members.length > 0;
}

/** The config that a user has in a company, or undefined. One trip. */
export function findUserConfig(db: Db, userId: number, companyId: number) {
  return db.select().from(userConfigs).where(isConfig(userId, companyId)).get();
}

/** Creates or replaces a user's config in a company, given as JSON text. One trip. */
export async function saveUserConfig(db: Db, userId: number, companyId: number, json: string, audit: Audit, now: number) {
  const before = sql`(SELECT ${lengthJson} FROM ${userConfigs} WHERE ${isConfig(userId, companyId)})`;
  const isSame = and(isConfig(userId, companyId), eq(sql`${userConfigs.config}`, json));
  const isNews = sql`WHERE NOT EXISTS (SELECT 1 FROM ${userConfigs} WHERE ${isSame})`;
  const [, [saved]] = await db.batch([
    audit({ action: "config.save", companyId, objectId: userId, before, after: { characters: json.length } }, isNews),
    db
      .insert(userConfigs)
      .select(sql`SELECT ${userId}, ${companyId}, ${json}, ${now}, ${now} WHERE true`)
      .onConflictDoUpdate({
        target: [userConfigs.userId, userConfigs.companyId],
        set: { config: sql`excluded.config`, updatedAt: now },
      })
      .returning(),
  ]);
  return saved;
}

const lengthJson: SQL = sql`json_object('characters', length(${userConfigs.config}))`;

function isConfig(userId: number, companyId: number) {
  return and(eq(userConfigs.userId, userId), eq(userConfigs.companyId, companyId));
}
