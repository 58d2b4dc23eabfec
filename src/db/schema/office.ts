import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { type AlertHours, type Contact, permissions, reportKinds, roles, tagSubjects, type Weekday } from "../values.ts";
import { createdAt, flag, updatedAt } from "./columns.ts";
import { companies, users } from "./identity.ts";

const json = <T>(name: string) => text(name, { mode: "json" }).$type<T>().notNull();
const companyId = integer("company_id")
  .notNull()
  .references(() => companies.id);

export const tagKeys = sqliteTable(
  "tag_keys",
  {
    id: text("id").primaryKey(),
    companyId,
    sort: real("sort").notNull(),
    subject: text("subject", { enum: tagSubjects }).notNull(),
    tagKey: text("tag_key").notNull(),
    tagValue: text("tag_value").notNull().default(""),
    description: text("description").notNull(),
    color: text("color").notNull(),
    isDefault: flag("is_default").notNull(),
    createdAt,
    updatedAt,
  },
  (t) => [uniqueIndex("tag_keys_key").on(t.companyId, t.subject, t.tagKey)],
);

export const personas = sqliteTable(
  "personas",
  {
    id: text("id").primaryKey(),
    companyId,
    name: text("name").notNull(),
    isActive: flag("is_active").notNull(),
    isUser: flag("is_user").notNull(),
    sms: json<Contact>("sms"),
    whatsapp: json<Contact>("whatsapp"),
    email: json<Contact>("email"),
    push: json<Contact[]>("push"),
    alertHours: json<AlertHours>("alert_hours"),
    alertIds: json<string[]>("alert_ids"),
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

export const reportSubscriptions = sqliteTable(
  "report_subscriptions",
  {
    id: text("id").primaryKey(),
    companyId,
    name: text("name").notNull(),
    kind: text("kind", { enum: reportKinds }).notNull().default("shift"),
    /** For daily and weekly reports: local time `HH:mm`; null: after each shift. */
    time: text("time"),
    /** Null: on all days. */
    weekdays: text("weekdays", { mode: "json" }).$type<Weekday[]>(),
    /** Null: all. */
    machineIds: text("machine_ids", { mode: "json" }).$type<number[]>(),
    lineIds: text("line_ids", { mode: "json" }).$type<number[]>(),
    shiftIds: text("shift_ids", { mode: "json" }).$type<number[]>(),
    personaIds: text("persona_ids", { mode: "json" }).$type<string[]>().notNull().default(sql`'[]'`),
    addresses: text("addresses", { mode: "json" }).$type<string[]>().notNull().default(sql`'[]'`),
    /** Addresses whose readers have left by the link in the mail: it is not sent to them. Oldest first, at most 500. */
    leftAddresses: text("left_addresses", { mode: "json" }).$type<string[]>().notNull().default(sql`'[]'`),
    webhookSubscriptionIds: text("webhook_subscription_ids", { mode: "json" }).$type<string[]>().notNull().default(sql`'[]'`),
    language: text("language", { enum: ["en", "es"] })
      .notNull()
      .default("en"),
    isActive: flag("is_active").notNull().default(false),
    /** When the next run is due; null: with the next shift that ends, or never. */
    nextRunAt: integer("next_run_at"),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [
    index("report_subscriptions_due").on(t.nextRunAt).where(sql`next_run_at is not null`),
    index("report_subscriptions_company").on(t.companyId, t.createdAt, t.id),
  ],
);

export const subscriptionLogs = sqliteTable(
  "subscription_logs",
  {
    id: text("id").primaryKey(),
    subscriptionId: text("subscription_id")
      .notNull()
      .references(() => reportSubscriptions.id),
    status: text("status", { enum: ["scheduled", "running", "succeeded", "failed", "skipped"] }).notNull(),
    detail: text("detail").notNull(),
    shiftTitle: text("shift_title").notNull(),
    /** The period that the report covers, [start, end). Null in logs from before reports were run. */
    periodStart: integer("period_start"),
    periodEnd: integer("period_end"),
    /** The shift that it reports; null: none. */
    shiftId: integer("shift_id"),
    attempts: integer("attempts").notNull().default(0),
    /** When the next attempt is due. While it runs: when the run counts as lost. Null: finished. */
    nextAttemptAt: integer("next_attempt_at"),
    /** The webhook subscriptions that accepted it. */
    calledIds: text("called_ids", { mode: "json" }).$type<string[]>().notNull().default(sql`'[]'`),
    executeAt: integer("execute_at").notNull(),
    executedAt: integer("executed_at"),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [
    index("subscription_logs_subscription").on(t.subscriptionId, t.executeAt, t.id),
    index("subscription_logs_open").on(t.executeAt).where(sql`status in ('scheduled', 'running')`),
    index("subscription_logs_due").on(t.nextAttemptAt).where(sql`next_attempt_at is not null`),
    index("subscription_logs_age").on(t.executeAt),
  ],
);

/** The content that a run sends. It is made once, so that all recipients get the same. Gzipped JSON: src/channels/report-mail.ts. */
export const reportContents = sqliteTable(
  "report_contents",
  {
    logId: text("log_id").primaryKey(),
    content: blob("content", { mode: "buffer" }).$type<Uint8Array>().notNull(),
    createdAt,
  },
  (t) => [index("report_contents_age").on(t.createdAt)],
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

/** A user's client settings. Their content is up to the client. */
export const userConfigs = sqliteTable(
  "user_configs",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    companyId,
    config: json<Record<string, unknown>>("config"),
    createdAt,
    updatedAt,
  },
  (t) => [primaryKey({ columns: [t.userId, t.companyId] })],
);

/** A grant: a role may do what a permission names. Superusers need none. */
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

/** The first answer to a request that carried an Idempotency-Key, kept for 24 h. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    userId: integer("user_id").notNull(),
    operation: text("operation").notNull(),
    key: text("key").notNull(),
    /** HMAC-SHA-256 of the body, hex. */
    requestHash: text("request_hash").notNull(),
    status: integer("status").notNull(),
    /** The body of the answer; null: it had none. */
    body: text("body"),
    createdAt,
  },
  (t) => [primaryKey({ columns: [t.userId, t.operation, t.key] }), index("idempotency_keys_age").on(t.createdAt)],
);
