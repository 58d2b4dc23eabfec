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
