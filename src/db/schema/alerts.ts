import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { type AlertKind, type AlertLevel, alertKinds, channels, type L10n, messageStatuses } from "../values.ts";
import { createdAt, flag, updatedAt } from "./columns.ts";
import { companies, users } from "./identity.ts";

const json = <T>(name: string) => text(name, { mode: "json" }).$type<T>();
const companyId = integer("company_id")
  .notNull()
  .references(() => companies.id);

/** What to look for, whom to notify, and with which text. Machine objects hold a copy of the rules that concern them. */
export const alertRules = sqliteTable(
  "alert_rules",
  {
    id: text("id").primaryKey(),
    companyId,
    name: text("name").notNull(),
    kind: text("kind", { enum: alertKinds }).$type<AlertKind>().notNull(),
    /** What the kind needs: minutes, a percentage, causes. */
    params: json<Record<string, unknown>>("params").notNull(),
    /** Null: all machines. */
    machineIds: json<number[]>("machine_ids"),
    lineIds: json<number[]>("line_ids"),
    /** Null: in all shifts. */
    shiftIds: json<number[]>("shift_ids"),
    levels: json<AlertLevel[]>("levels").notNull(),
    /** What is written instead of the usual text; null: nothing. */
    texts: json<L10n>("texts"),
    isActive: flag("is_active").notNull(),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [index("alert_rules_company").on(t.companyId, t.id)],
);

/**
 * What a rule looks for, where it holds: one row per rule, subject and beginning. Machine objects write those of machines. A change of a row
 * raises its revision; `handled_revision` is the one that incidents know of (src/jobs/handle-conditions.ts).
 */
export const alertConditions = sqliteTable(
  "alert_conditions",
  {
    id: text("id").primaryKey(),
    companyId,
    ruleId: text("rule_id").notNull(),
    machineId: integer("machine_id"),
    /** What its incident is about: `machine:12`, `gateway:7`, `order:<id>`, `help:<id>`. */
    subject: text("subject").notNull(),
    /** When what is alerted of began, such as a stop, and when the rule was due. */
    since: integer("since").notNull(),
    dueAt: integer("due_at").notNull(),
    /** Null: it still holds. */
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
    index("alert_conditions_age").on(t.updatedAt),
  ],
);

/** One alert of people: of one rule and subject at a time. */
export const incidents = sqliteTable(
  "incidents",
  {
    id: text("id").primaryKey(),
    companyId,
    ruleId: text("rule_id")
      .notNull()
      .references(() => alertRules.id),
    subject: text("subject").notNull(),
    /** The first machine; null: about none. The others are those of its conditions. */
    machineId: integer("machine_id"),
    since: integer("since").notNull(),
    openedAt: integer("opened_at").notNull(),
    /** The number of levels that were notified: 1 from the opening on. */
    level: integer("level").notNull(),
    /** When the next level is due; null: there is none, or somebody acknowledged. */
    nextLevelAt: integer("next_level_at"),
    acknowledgedAt: integer("acknowledged_at"),
    acknowledgedBy: integer("acknowledged_by").references(() => users.id),
    resolvedAt: integer("resolved_at"),
    facts: json<Record<string, unknown>>("facts").notNull(),
    /** Who was told of it, and will be told when it is resolved. */
    told: json<{ personaIds: string[]; chatRoomIds: string[] }>("told")
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
    index("incidents_age").on(t.openedAt),
  ],
);

/** Team rooms that are told by an incoming webhook of Teams or Slack. The address is a secret: see core/cipher.ts. */
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
    /** Follows from what is told, to whom and how, so that nobody is told twice. */
    id: text("id").primaryKey(),
    companyId,
    /** To whom: a persona, a chat room, or an address. */
    personaId: text("persona_id"),
    chatRoomId: text("chat_room_id"),
    address: text("address"),
    channel: text("channel", { enum: channels }).notNull(),
    /** Which contact of the persona, `user:<id>` for the user that it is, or the chat room or address itself. */
    contactId: text("contact_id").notNull().default(""),
    /** Of messages to an address; personas and chat rooms have a language of their own. */
    language: text("language", { enum: ["en", "es"] }),
    /** Which text, and its variables (src/channels/texts). */
    kind: text("kind").notNull(),
    params: json<Record<string, unknown>>("params").notNull(),
    incidentId: text("incident_id"),
    status: text("status", { enum: messageStatuses }).notNull(),
    attempts: integer("attempts").notNull(),
    /** When it is due; null: it is finished. */
    nextAttemptAt: integer("next_attempt_at"),
    error: text("error"),
    /** When its first attempt began: it counts in the hour of that. */
    startedAt: integer("started_at"),
    sentAt: integer("sent_at"),
    /** The digest that it went into. */
    digestId: text("digest_id"),
    createdAt,
    updatedAt,
  },
  (t) => [
    index("messages_due").on(t.companyId, t.nextAttemptAt).where(sql`next_attempt_at is not null`),
    index("messages_persona").on(t.personaId, t.createdAt, t.id),
    index("messages_started").on(t.contactId, t.startedAt).where(sql`started_at is not null`),
    index("messages_company").on(t.companyId, t.createdAt, t.id),
    index("messages_age").on(t.createdAt),
  ],
);
