import { getTableColumns, sql } from "drizzle-orm";
import { notifications, roles, users } from "../../../db/schema.ts";
import type { SetUpTable } from "../queries.ts";

export { roles };

/** `changedBy`: the name of the other person who changes how this user signs in, in a change that the user is told of. */
export type UserRow = typeof users.$inferSelect & { changedBy?: string };

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
  attach: (db, next, before) => {
    if (!before || next.changedBy === undefined) return [];
    const what = [
      ...(next.passwordHash === before.passwordHash ? [] : ["password"]),
      ...(next.email === before.email ? [] : ["e-mail address"]),
    ].join(" and ");
    const body = `${next.changedBy} changed your ${what}. If you did not ask for that, tell whoever runs the service.`;
    const title = `Your ${what} was changed`;
    return [
      db.insert(notifications).values({ id: crypto.randomUUID(), userId: next.id, title, body, createdAt: next.updatedAt }),
    ];
  },
  removal: (before, now) => ({ deletedAt: now, isActive: false, tokenVersion: before.tokenVersion + 1 }),
};
