import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { userConfigs, users } from "../../db/schema.ts";

/** Deletes the config that a company's user has there, if any. One trip. False: the company has no such user. */
export async function deleteUserConfig(db: Db, userId: number, companyId: number): Promise<boolean> {
  const isMember = and(eq(users.id, userId), eq(users.companyId, companyId));
  const [members] = await db.batch([
    db.select({ id: users.id }).from(users).where(isMember),
    db
      .delete(userConfigs)
      .where(
        and(
          eq(userConfigs.userId, userId),
          eq(userConfigs.companyId, companyId),
          sql`EXISTS (SELECT 1 FROM ${users} WHERE ${isMember})`,
        ),
      ),
  ]);
  return members.length > 0;
}

/** The config that a user has in a company, or undefined. One trip. */
export function findUserConfig(db: Db, userId: number, companyId: number) {
  return db
    .select()
    .from(userConfigs)
    .where(and(eq(userConfigs.userId, userId), eq(userConfigs.companyId, companyId)))
    .get();
}

/** Creates or replaces a user's config in a company, given as JSON text. One trip. */
export function saveUserConfig(db: Db, userId: number, companyId: number, json: string, now: number) {
  return db
    .insert(userConfigs)
    .select(sql`SELECT ${userId}, ${companyId}, ${json}, ${now}, ${now} WHERE true`)
    .onConflictDoUpdate({
      target: [userConfigs.userId, userConfigs.companyId],
      set: { config: sql`excluded.config`, updatedAt: now },
    })
    .returning()
    .get();
}
