import { integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core";
import { createdAt, json, updatedAt } from "./columns.ts";
import { users } from "./identity.ts";

export const userConfigs = sqliteTable(
  "user_configs",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    /** The company to which it applies: for a superuser maybe another one than the user's, and so in another database. */
    companyId: integer("company_id").notNull(),
    config: json<Record<string, unknown>>("config").notNull(),
    createdAt,
    updatedAt,
  },
  (t) => [primaryKey({ columns: [t.userId, t.companyId] })],
);
