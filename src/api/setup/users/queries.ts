import { and, eq, getTableColumns, isNull } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { apiTokens, notifications, roles, users } from "../../../db/schema.ts";
import type { SetUpTable } from "../queries.ts";

export { roles };

export type UserRow = typeof users.$inferSelect;

const { id, companyId, updatedAt, deletedAt } = users;

export const userTable: SetUpTable = {
  ...{ table: users, id, companyId, updatedAt, deletedAt },
  columns: () => getTableColumns(users),
};

/** The statement that notifies a user of a change. */
export function insertNotification(db: Db, user: UserRow, { title, body }: { title: string; body: string }) {
  return db.insert(notifications).values({ id: crypto.randomUUID(), userId: user.id, title, body, createdAt: user.updatedAt });
}

/** The statement that revokes the API tokens that a user created. */
export function revokeTokensOf(db: Db, userId: number, now: number) {
  return db
    .update(apiTokens)
    .set({ revokedAt: now, updatedAt: now })
    .where(and(eq(apiTokens.createdBy, userId), isNull(apiTokens.revokedAt)));
}
