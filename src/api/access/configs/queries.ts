import { and, eq, type SQL } from "drizzle-orm";
import type { CompanyDb } from "../../../db/client.ts";
import { isAsRead } from "../../../db/expect.ts";
import { userConfigs, users } from "../../../db/schema.ts";

export type ConfigRow = typeof userConfigs.$inferSelect;

/** The key of a config: a user has one per company. */
export type ConfigOwner = Pick<ConfigRow, "userId" | "companyId">;

/** The statement that reads a user of a company, deleted or not: none or one row. */
export function selectMember(db: CompanyDb, { userId, companyId }: ConfigOwner) {
  return db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.companyId, companyId)));
}

/** The statement that reads a user's config: none or one row. */
export function selectConfig(db: CompanyDb, owner: ConfigOwner) {
  return db.select().from(userConfigs).where(isOwners(owner));
}

/** Condition: a user's config is unchanged since it was read. */
export function isSameConfig(owner: ConfigOwner, config: ConfigRow | undefined): SQL {
  return isAsRead(userConfigs, isOwners(owner), config);
}

/** The statement that stores a user's first config. */
export function insertConfig(db: CompanyDb, config: ConfigRow) {
  return db.insert(userConfigs).values(config);
}

/** The statement that replaces a user's config. */
export function updateConfig(db: CompanyDb, config: ConfigRow) {
  return db.update(userConfigs).set(config).where(isOwners(config));
}

/** The statement that deletes a user's config. */
export function deleteConfigOf(db: CompanyDb, owner: ConfigOwner) {
  return db.delete(userConfigs).where(isOwners(owner));
}

function isOwners({ userId, companyId }: ConfigOwner) {
  return and(eq(userConfigs.userId, userId), eq(userConfigs.companyId, companyId));
}
