import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { deliveryStatuses, type EventType } from "../values.ts";
import { createdAt, flag, json, updatedAt } from "./columns.ts";
import { companyId } from "./company-id.ts";
import { companies } from "./identity.ts";

/** The secret that signs the company's webhook calls, sealed (core/cipher.ts). After a rotation the previous one signs, too, until `previous_until`. */
export const webhookSecrets = sqliteTable("webhook_secrets", {
  companyId: integer("company_id")
    .primaryKey()
    .references(() => companies.id),
  sealedSecret: text("sealed_secret").notNull(),
  createdAt,
  previousSealedSecret: text("previous_sealed_secret"),
  previousUntil: integer("previous_until"),
});

export const webhookSubscriptions = sqliteTable(
  "webhook_subscriptions",
  {
    id: text("id").primaryKey(),
    companyId,
    url: text("url").notNull(),
    /** Null: all events. */
    events: json<EventType[]>("events"),
    /** Null: all machines. */
    machineIds: json<number[]>("machine_ids"),
    lineIds: json<number[]>("line_ids"),
    isActive: flag("is_active").notNull(),
    description: text("description").notNull(),
    /** Null: the company's secret signs. */
    sealedSecret: text("sealed_secret"),
    previousSealedSecret: text("previous_sealed_secret"),
    previousUntil: integer("previous_until"),
    /** When the service stopped calling it, and why; null: it did not. */
    endedAt: integer("ended_at"),
    endedBecause: text("ended_because", { enum: ["gone", "failing"] }),
    /** The time since which every call has failed; null: the last call succeeded. */
    failingSince: integer("failing_since"),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [index("webhook_subscriptions_company").on(t.companyId, t.id)],
);

/** The delivery of an event to a subscription. A delivery waits for the earlier ones of the same machine. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    subscriptionId: text("subscription_id")
      .notNull()
      .references(() => webhookSubscriptions.id),
    eventSeq: integer("event_seq").notNull(),
    companyId,
    /** 0: the event concerns no single machine. */
    machineId: integer("machine_id").notNull(),
    status: text("status", { enum: deliveryStatuses }).notNull(),
    attempts: integer("attempts").notNull(),
    /** When the next attempt is due. During an attempt: when it counts as lost. Null: finished. */
    nextAttemptAt: integer("next_attempt_at"),
    createdAt,
    updatedAt,
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.eventSeq] }),
    index("webhook_deliveries_pending").on(t.subscriptionId, t.machineId, t.eventSeq).where(sql`status = 'pending'`),
    index("webhook_deliveries_due").on(t.nextAttemptAt).where(sql`status = 'pending'`),
    index("webhook_deliveries_age").on(t.createdAt),
  ],
);

export const webhookAttempts = sqliteTable(
  "webhook_attempts",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    subscriptionId: text("subscription_id").notNull(),
    eventSeq: integer("event_seq").notNull(),
    at: integer("at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    /** HTTP status of the answer; null: there was none. */
    status: integer("status"),
    /** The first 1,024 bytes of the answer. */
    answer: text("answer").notNull(),
    /** Why it failed; null: it succeeded. */
    error: text("error"),
  },
  (t) => [index("webhook_attempts_delivery").on(t.subscriptionId, t.eventSeq, t.id), index("webhook_attempts_age").on(t.at)],
);
