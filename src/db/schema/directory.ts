import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { AuditRow } from "../audit-row.ts";
import { jurisdictions, pairingKinds, permissions, roles } from "../values.ts";
import { createdAt, json, updatedAt } from "./columns.ts";

// The tables of the directory: what is known before the company is, or holds for all companies. Their migrations are in drizzle/directory/. Only
// src/directory/ may import this file.

/**
 * Failed attempts per key since `window_start`: `address|…` (all accounts), `pair|account|address`, `account|…` (from unknown addresses).
 * `known|account|address` has no failures: it marks a success at `window_start`. `walls|address` and `terminals|address` count the
 * displays that requested pairing, `codes|user` the pairing codes that a user entered, `gateways|user` those that a
 * user made for gateways, `gateway codes|address` and `gateway codes` those that gateways sent, `claim` the codes that were entered to claim the service. `pins|…` are wrong PINs of an operator at a terminal, since the
 * last one.
 */
export const loginAttempts = sqliteTable(
  "login_attempts",
  {
    key: text("key").primaryKey(),
    failures: integer("failures").notNull(),
    windowStart: integer("window_start").notNull(),
  },
  (t) => [index("login_attempts_window").on(t.windowStart)],
);

/**
 * Walls and terminals that request pairing, or did so a few minutes ago, and gateways that are expected. Nothing in a row grants access, but whoever has
 * the code of a gateway gets its token.
 */
export const wallPairings = sqliteTable(
  "wall_pairings",
  {
    /** UUID. */
    id: text("id").primaryKey(),
    /** Null: a wall. The version before terminals were paired writes none, and takes every row for that of a wall. */
    kind: text("kind", { enum: pairingKinds }),
    /** The code on the display, which only an admin can confirm, or of a gateway. Without its hyphen. */
    code: text("code").notNull(),
    /**
     * SHA-256 of the future token, hex. It is known before the token exists: that of a display is derived from the display's secret, that of a gateway
     * from the id and the encryption key.
     */
    tokenHash: text("token_hash").notNull(),
    /** Null: not yet. */
    confirmedAt: integer("confirmed_at"),
    /** The company whose data the display shows, or of the gateway. Null: not yet, or confirmed by a version that did not store it. */
    companyId: integer("company_id"),
    /** When the code expires. Of a display that is confirmed: until when it can fetch its token. */
    expiresAt: integer("expires_at").notNull(),
    /** The lines that a wall shows; null: all, not known yet, or a terminal. */
    lineIds: text("line_ids", { mode: "json" }).$type<readonly number[]>(),
    /** From how far a wall is read, in metres. Null: not known yet, or it is a terminal. */
    distance: integer("distance"),
    createdAt,
    /** The name of a gateway, and the user who made its code. Null: it is a display. */
    name: text("name"),
    createdBy: integer("created_by"),
  },
  (t) => [uniqueIndex("wall_pairings_code").on(t.code), index("wall_pairings_end").on(t.expiresAt)],
);

/** The code with which a service without users is claimed. At most one row. */
export const claimCodes = sqliteTable("claim_codes", {
  /** SHA-256 of the code without its hyphen, hex. */
  codeHash: text("code_hash").primaryKey(),
  createdAt,
});

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

/** Messages that no queue consumer could handle. `npm run dead-letters` lists and marks them; the cron sends the marked ones again. */
export const deadLetters = sqliteTable(
  "dead_letters",
  {
    id: text("id").primaryKey(),
    /** The binding of the queue, such as EVENTS. */
    queue: text("queue").notNull(),
    body: text("body", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Why it failed; null: the consumer ended before it could store an error. */
    error: text("error"),
    createdAt,
    /** True if it is to be sent again. */
    isRequeued: integer("is_requeued", { mode: "boolean" }).notNull().default(false),
  },
  (t) => [index("dead_letters_age").on(t.createdAt), index("dead_letters_requeued").on(t.id).where(sql`is_requeued`)],
);

/** Audit entries of changes in the directory, until they are in the database of their company: see src/directory/audit-outbox.ts. */
export const auditOutbox = sqliteTable("audit_outbox", {
  /** The id of the entry. */
  id: text("id").primaryKey(),
  entry: json<AuditRow>("entry").notNull(),
});

// The following tables say in which database a company is, by its id, an address or a token. The job `directory` keeps them up to date
// (src/jobs/tell-directory.ts). With one database nothing reads it: see docs/adr/0022-several-databases.md.

/** Where each company is. */
export const homes = sqliteTable("homes", {
  companyId: integer("company_id").primaryKey(),
  /** The number of its database: the `0` of `DB_0`. */
  database: integer("database").notNull(),
  /** The jurisdiction of its objects; null: none. */
  jurisdiction: text("jurisdiction", { enum: jurisdictions }),
  state: text("state", { enum: ["here"] }).notNull(),
});

/** The user of each e-mail address that can sign in, in lower case. */
export const logins = sqliteTable(
  "logins",
  {
    email: text("email").primaryKey(),
    userId: integer("user_id").notNull(),
    companyId: integer("company_id").notNull(),
  },
  (t) => [index("logins_user").on(t.userId)],
);

/** The company of each token, by its SHA-256 hash (hex): older tokens, and those of walls, do not name it. */
export const tokenHomes = sqliteTable("token_homes", {
  tokenHash: text("token_hash").primaryKey(),
  companyId: integer("company_id").notNull(),
});

/** How far the directory knows the rows of each kind in a database of companies. */
export const followed = sqliteTable(
  "followed",
  {
    database: integer("database").notNull(),
    kind: text("kind", { enum: ["companies", "users", "gateway-tokens", "api-tokens"] }).notNull(),
    /** The number by which the rows are followed, and the id, of the last one that is known. */
    until: integer("until").notNull(),
    id: integer("id").notNull(),
  },
  (t) => [primaryKey({ columns: [t.database, t.kind] })],
);
