import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { permissions, roles } from "../values.ts";
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

export const rolePermissions = sqliteTable(
  "role_permissions",
  {
    id: text("id").primaryKey(),
    roleId: text("role_id", { enum: roles }).notNull(),
    permissionId: text("permission_id", { enum: permissions }).notNull(),
    createdAt,
    updatedAt,
  },
  (t) => [uniqueIndex("role_permissions_grant").on(t.roleId, t.permissionId)],
);
