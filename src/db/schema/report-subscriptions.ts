import { sql } from "drizzle-orm";
import { blob, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { reportKinds, type Weekday } from "../values.ts";
import { createdAt, flag, updatedAt } from "./columns.ts";
import { companyId } from "./company-id.ts";

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
    index("subscription_logs_due").on(t.nextAttemptAt).where(sql`next_attempt_at is not null`),
    index("subscription_logs_age").on(t.executeAt),
  ],
);

export const reportContents = sqliteTable(
  "report_contents",
  {
    logId: text("log_id").primaryKey(),
    content: blob("content", { mode: "buffer" }).$type<Uint8Array>().notNull(),
    createdAt,
  },
  (t) => [index("report_contents_age").on(t.createdAt)],
);
