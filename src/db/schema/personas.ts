import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AlertHours, Contact } from "../values.ts";
import { createdAt, flag, json, updatedAt } from "./columns.ts";
import { companyId } from "./company-id.ts";
import { users } from "./identity.ts";

export const personas = sqliteTable(
  "personas",
  {
    id: text("id").primaryKey(),
    companyId,
    name: text("name").notNull(),
    isActive: flag("is_active").notNull(),
    isUser: flag("is_user").notNull(),
    sms: json<Contact>("sms").notNull(),
    whatsapp: json<Contact>("whatsapp").notNull(),
    email: json<Contact>("email").notNull(),
    push: json<Contact[]>("push").notNull(),
    alertHours: json<AlertHours>("alert_hours").notNull(),
    alertIds: json<string[]>("alert_ids").notNull(),
    language: text("language").notNull(),
    createdAt,
    updatedAt,
  },
  (t) => [
    index("personas_company").on(t.companyId, t.name, t.id),
    // Finds the personas of a user by the e-mail address.
    index("personas_email").on(t.companyId, sql`lower("email" ->> 'value')`),
  ],
);

export const notifications = sqliteTable(
  "notifications",
  {
    id: text("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    title: text("title").notNull(),
    body: text("body").notNull(),
    readAt: integer("read_at"),
    createdAt,
  },
  (t) => [index("notifications_user").on(t.userId, t.createdAt, t.id), index("notifications_age").on(t.createdAt)],
);
