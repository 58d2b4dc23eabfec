import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { type AlertKind, type AlertLevel, alertKinds, channels, type L10n, messageStatuses } from "../values.ts";
import { createdAt, flag, json, updatedAt } from "./columns.ts";
import { companyId } from "./company-id.ts";

/** Alert rules: what to look for, whom to notify, and with which text. Machine objects keep a copy of the rules that apply to them. */
export const alertRules = sqliteTable(
  "alert_rules",
  {
    id: text("id").primaryKey(),
    companyId,
    name: text("name").notNull(),
    kind: text("kind", { enum: alertKinds }).$type<AlertKind>().notNull(),
    /** The parameters of the kind: minutes, a percentage, causes. */
    params: json<Record<string, unknown>>("params").notNull(),
    /** Null: all machines. */
    machineIds: json<number[]>("machine_ids"),
    lineIds: json<number[]>("line_ids"),
    /** Null: in all shifts. */
    shiftIds: json<number[]>("shift_ids"),
    levels: json<AlertLevel[]>("levels").notNull(),
    /** The rule's own text, which replaces the usual one; null: none. */
    texts: json<L10n>("texts"),
    isActive: flag("is_active").notNull(),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [index("alert_rules_company").on(t.companyId, t.id)],
);

/**
 * The conditions that rules have found: one row per rule, subject and beginning. Machine objects write those of machines. A change of a row raises
 * its revision; `handled_revision` is the last one applied to incidents (src/jobs/handle-conditions.ts).
 */
export const alertConditions = sqliteTable(
  "alert_conditions",
  {
    id: text("id").primaryKey(),
    companyId,
    ruleId: text("rule_id").notNull(),
    machineId: integer("machine_id"),
    /** The subject of its incident: `machine:12`, `gateway:7`, `order:<id>`, `help:<id>`. */
    subject: text("subject").notNull(),
    /** When the cause of the alert began, such as a stop; `due_at` is when the rule was due. */
    since: integer("since").notNull(),
    dueAt: integer("due_at").notNull(),
    /** Null: the condition is still true. */
    until: integer("until"),
    facts: json<Record<string, unknown>>("facts").notNull(),
    revision: integer("revision").notNull(),
    handledRevision: integer("handled_revision").notNull().default(0),
    incidentId: text("incident_id"),
    createdAt,
    updatedAt,
  },
  (t) => [
    index("alert_conditions_unhandled").on(t.companyId, t.dueAt).where(sql`revision > handled_revision`),
    index("alert_conditions_holding").on(t.ruleId).where(sql`until is null`),
    index("alert_conditions_incident").on(t.incidentId),
    index("alert_conditions_ended").on(t.companyId, t.updatedAt).where(sql`until is not null`),
  ],
);

/** Incidents, of which people are notified. A rule and subject have at most one open incident. */
export const incidents = sqliteTable(
  "incidents",
  {
    id: text("id").primaryKey(),
    companyId,
    ruleId: text("rule_id")
      .notNull()
      .references(() => alertRules.id),
    subject: text("subject").notNull(),
    /** The first machine; null: it concerns no machine. The other machines are those of its conditions. */
    machineId: integer("machine_id"),
    since: integer("since").notNull(),
    openedAt: integer("opened_at").notNull(),
    /** The number of levels that were notified: 1 when it is opened. */
    level: integer("level").notNull(),
    /** When the next level is due; null: there is none, or somebody acknowledged. */
    nextLevelAt: integer("next_level_at"),
    acknowledgedAt: integer("acknowledged_at"),
    /** A user, who may be of another company, and so in another database. */
    acknowledgedBy: integer("acknowledged_by"),
    resolvedAt: integer("resolved_at"),
    facts: json<Record<string, unknown>>("facts").notNull(),
    /** The recipients that were notified of it, and that are notified when it is resolved. The column keeps its first name: two versions of the service write it. */
    notified: json<{ personaIds: string[]; chatRoomIds: string[] }>("told")
      .notNull()
      .default(sql`'{"personaIds":[],"chatRoomIds":[]}'`),
    createdAt,
    updatedAt,
  },
  (t) => [
    uniqueIndex("incidents_open").on(t.ruleId, t.subject).where(sql`resolved_at is null`),
    index("incidents_company").on(t.companyId, t.openedAt, t.id),
    index("incidents_company_open").on(t.companyId, t.openedAt, t.id).where(sql`resolved_at is null`),
    index("incidents_next_level").on(t.nextLevelAt).where(sql`next_level_at is not null`),
  ],
);

/** Chat rooms that are notified through an incoming webhook of Teams or Slack. The address is a secret: see core/cipher.ts. */
export const chatRooms = sqliteTable(
  "chat_rooms",
  {
    id: text("id").primaryKey(),
    companyId,
    name: text("name").notNull(),
    service: text("service", { enum: ["teams", "slack"] }).notNull(),
    sealedUrl: text("sealed_url").notNull(),
    language: text("language", { enum: ["en", "es"] }).notNull(),
    isActive: flag("is_active").notNull(),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [index("chat_rooms_company").on(t.companyId, t.id)],
);

/** A message to one contact through one channel, and its result: this table is both the outbox and the delivery log. */
export const messages = sqliteTable(
  "messages",
  {
    /** Derived from the content, the recipient and the channel, so that nobody is notified twice. */
    id: text("id").primaryKey(),
    companyId,
    /** The recipient: a persona, a chat room, or an address. */
    personaId: text("persona_id"),
    chatRoomId: text("chat_room_id"),
    address: text("address"),
    channel: text("channel", { enum: channels }).notNull(),
    /** The contact of the persona, `user:<id>` for a notification on the board, or the chat room or address itself. */
    contactId: text("contact_id").notNull().default(""),
    /** The language of a message to an address; personas and chat rooms have their own. */
    language: text("language", { enum: ["en", "es"] }),
    /** The kind of text; `params` are its variables (src/channels/texts). */
    kind: text("kind").notNull(),
    params: json<Record<string, unknown>>("params").notNull(),
    incidentId: text("incident_id"),
    status: text("status", { enum: messageStatuses }).notNull(),
    attempts: integer("attempts").notNull(),
    /** When it is due; null: it is finished. */
    nextAttemptAt: integer("next_attempt_at"),
    error: text("error"),
    /** When its first attempt began. The message counts towards the limit of that hour. */
    startedAt: integer("started_at"),
    sentAt: integer("sent_at"),
    /** The digest that contains it. */
    digestId: text("digest_id"),
    createdAt,
    updatedAt,
  },
  (t) => [
    index("messages_due").on(t.companyId, t.nextAttemptAt).where(sql`next_attempt_at is not null`),
    index("messages_persona").on(t.personaId, t.createdAt, t.id),
    index("messages_started").on(t.contactId, t.startedAt).where(sql`started_at is not null`),
    index("messages_company").on(t.companyId, t.createdAt, t.id),
  ],
);
