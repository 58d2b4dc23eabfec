import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { EventType } from "../values.ts";
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
    /** Its number in the company, from 1, by which deliveries name it; a trigger sets it. */
    nr: integer("nr").notNull().default(0),
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
  (t) => [index("webhook_subscriptions_company").on(t.companyId, t.id), index("webhook_subscriptions_nr").on(t.companyId, t.nr)],
);

/**
 * The delivery of an event to a subscription. A delivery waits for the earlier ones of the same machine. It is kept as long as its event. The table has
 * no rowid.
 */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    companyId,
    /** The subscription's number in the company. */
    subscriptionNr: integer("subscription_nr").notNull(),
    eventSeq: integer("event_seq").notNull(),
    /** 0: the event concerns no single machine. */
    machineId: integer("machine_id").notNull(),
    /** As in `deliveryStatusNumbers`. */
    status: integer("status").notNull(),
    attempts: integer("attempts").notNull(),
    /** When the next attempt is due. During an attempt: when it counts as lost. Null: finished. */
    nextAttemptAt: integer("next_attempt_at"),
    updatedAt,
    /** The last call that succeeded: how long before `updatedAt` it began, how long it took, and the HTTP status of its answer. Null: none. */
    calledMs: integer("called_ms"),
    durationMs: integer("duration_ms"),
    answerStatus: integer("answer_status"),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.subscriptionNr, t.eventSeq] }),
    index("webhook_deliveries_pending").on(t.companyId, t.subscriptionNr, t.machineId, t.eventSeq).where(sql`status = 0`),
    index("webhook_deliveries_due").on(t.nextAttemptAt).where(sql`status = 0`),
  ],
);

/** The calls that failed. They are kept as long as their delivery. The table has no rowid. */
export const webhookAttempts = sqliteTable(
  "webhook_attempts",
  {
    companyId: integer("company_id").notNull(),
    subscriptionNr: integer("subscription_nr").notNull(),
    eventSeq: integer("event_seq").notNull(),
    at: integer("at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    /** HTTP status of the answer; null: there was none. */
    status: integer("status"),
    /** The first 1,024 bytes of the answer. */
    answer: text("answer").notNull(),
    /** Why it failed. */
    error: text("error").notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.subscriptionNr, t.eventSeq, t.at] })],
);
