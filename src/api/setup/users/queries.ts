import { getTableColumns, sql } from "drizzle-orm";
import { roles, users } from "../../../db/schema.ts";
import type { SetUpTable } from "../queries.ts";

export { roles };

export type UserRow = typeof users.$inferSelect;

const { id, companyId, updatedAt, deletedAt, email } = users;

export const userTable: SetUpTable<UserRow> = {
  ...{ table: users, id, companyId, updatedAt, deletedAt },
  columns: getTableColumns(users),
  checks: (next) => [
    {
      status: 409,
      // An address signs one person in, whatever the company.
      finds: sql`SELECT 1 FROM ${users} WHERE ${email} = ${next.email} AND ${deletedAt} IS NULL AND ${id} <> ${next.id}`,
      fault: () => ({ pointer: "/email", code: "taken", message: "is in use already" }),
    },
  ],
  removal: (before, now) => ({ deletedAt: now, isActive: false, tokenVersion: before.tokenVersion + 1 }),
};
