import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { productionDays, weekStarts } from "../../oee/production-day.ts";
import { type IgnoredChannel, jurisdictions, roles, type Thresholds } from "../values.ts";
import { createdAt, flag, json, updatedAt } from "./columns.ts";

export const companies = sqliteTable(
  "companies",
  {
    id: integer("id").primaryKey(),
    name: text("name").notNull(),
    timezone: text("timezone").notNull(),
    /** Version of the count sensors of the company. */
    sensorsVersion: integer("sensors_version").notNull().default(0),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
    /** True if operators are signed out when a shift ends. */
    signOutAtShiftEnd: flag("sign_out_at_shift_end").notNull().default(true),
    /** ISO 4217. */
    currency: text("currency").notNull().default("EUR"),
    /** That of its database when it was created; null: none. It never changes, because its objects are named by it (src/objects/names.ts). */
    jurisdiction: text("jurisdiction", { enum: jurisdictions }),
    /** The day for which a shift counts. The default is what held before there was a choice; new companies get another one. */
    productionDay: text("production_day", { enum: productionDays }).notNull().default("calendarDay"),
    weekStart: text("week_start", { enum: weekStarts }).notNull().default("monday"),
    /** Whether shifts ever counted for another day than the calendar's: then rows have a `day`. */
    hasProductionDays: flag("has_production_days").notNull().default(false),
    /** After how many days books are closed by themselves; null: never. */
    lockAfterDays: integer("lock_after_days"),
    /** When it is seen next whether books are to be closed; null: never. */
    nextLockAt: integer("next_lock_at"),
    /** Null: those of companies that say nothing else (src/api/plant/thresholds.ts). */
    oeeThresholds: json<Thresholds>("oee_thresholds"),
    availabilityThresholds: json<Thresholds>("availability_thresholds"),
    coverageThresholds: json<Thresholds>("coverage_thresholds"),
    /** Channels of gateways that feed no machine and that nobody wants to see; null: none. */
    ignoredChannels: json<IgnoredChannel[]>("ignored_channels"),
  },
  (t) => [index("companies_lock").on(t.nextLockAt).where(sql`next_lock_at is not null`)],
);

export const users = sqliteTable(
  "users",
  {
    id: integer("id").primaryKey(),
    companyId: integer("company_id")
      .notNull()
      .references(() => companies.id),
    name: text("name").notNull(),
    /** Lower case. */
    email: text("email").notNull(),
    /** `scrypt$N$r$p$salt$hash`, see core/password.ts. */
    passwordHash: text("password_hash").notNull(),
    role: text("role", { enum: roles }).notNull(),
    isActive: flag("is_active").notNull().default(true),
    /** Raised by each change of role or password. Tokens with a lower version are invalid. */
    tokenVersion: integer("token_version").notNull().default(1),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [
    uniqueIndex("users_email").on(t.email).where(sql`deleted_at is null`),
    index("users_company").on(t.companyId),
    index("users_updated").on(t.updatedAt, t.id),
  ],
);

/** The most common passwords, by `commonPasswordKey` of core/password-rule.ts. */
export const commonPasswords = sqliteTable("common_passwords", { key: integer("key").primaryKey() });

export const gatewayTokens = sqliteTable(
  "gateway_tokens",
  {
    id: integer("id").primaryKey(),
    companyId: integer("company_id")
      .notNull()
      .references(() => companies.id),
    name: text("name").notNull(),
    /** SHA-256 of the token, hex. */
    tokenHash: text("token_hash").notNull(),
    createdAt,
    updatedAt: integer("updated_at").notNull().default(0),
    revokedAt: integer("revoked_at"),
  },
  (t) => [uniqueIndex("gateway_tokens_hash").on(t.tokenHash), index("gateway_tokens_company").on(t.companyId)],
);

/** Tokens of programs: each acts with its role in its company, on behalf of the user who created it, or for the company (`is_of_company`). */
export const apiTokens = sqliteTable(
  "api_tokens",
  {
    id: integer("id").primaryKey(),
    /** The company in which it acts. For a superuser's token: the company of requests that name none. */
    companyId: integer("company_id")
      .notNull()
      .references(() => companies.id),
    /** A user, who may be of another company, and so in another database. */
    createdBy: integer("created_by").notNull(),
    name: text("name").notNull(),
    role: text("role", { enum: roles }).notNull(),
    isReadOnly: flag("is_read_only").notNull(),
    /** True: it goes on when its creator leaves. False: it ends with its creator. */
    isOfCompany: flag("is_of_company").notNull().default(false),
    /** The machines that the token is bound to, as those of terminals are; null: all. A version that does not know it refuses such tokens: see `isBound`. */
    machineIds: json<readonly number[]>("machine_ids"),
    /** SHA-256 of the token, hex. */
    tokenHash: text("token_hash").notNull(),
    /** Null: never. */
    expiresAt: integer("expires_at"),
    /** Accurate to a few minutes: see `USE_NOTED_MS`. */
    lastUsedAt: integer("last_used_at"),
    createdAt,
    updatedAt,
    revokedAt: integer("revoked_at"),
  },
  (t) => [
    uniqueIndex("api_tokens_hash").on(t.tokenHash),
    index("api_tokens_company").on(t.companyId),
    index("api_tokens_creator").on(t.createdBy),
  ],
);
