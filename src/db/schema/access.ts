import { integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core";
import { createdAt, json, updatedAt } from "./columns.ts";
import { companyId } from "./company-id.ts";
import { users } from "./identity.ts";

export const userConfigs = sqliteTable(
  "user_configs",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    companyId,
    config: json<Record<string, unknown>>("config").notNull(),
    createdAt,
    updatedAt,
  },
  (t) => [primaryKey({ columns: [t.userId, t.companyId] })],
);
