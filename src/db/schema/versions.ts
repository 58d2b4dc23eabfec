import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { versionKinds } from "../values.ts";
import { flag, json } from "./columns.ts";

/**
 * What numbers depend on, as a function of time. The tables of the set-up hold what is in force now, and this one every version of it: which of
 * several holds at an instant is decided in oee/versions.ts. Rows are never deleted; only `withdrawn...` and `dueAt` change.
 */
export const setUpVersions = sqliteTable(
  "set_up_versions",
  {
    companyId: integer("company_id").notNull(),
    /** Of two versions, the one with the higher id was recorded later. */
    id: integer("id").notNull(),
    kind: text("kind", { enum: versionKinds }).notNull(),
    /** The id of the item that it is a version of. */
    entity: text("entity").notNull(),
    /** The machine that a SKU's standard is for. 0: any; in other kinds it is always 0. */
    machineId: integer("machine_id").notNull().default(0),
    validFrom: integer("valid_from").notNull(),
    /** Null: for ever. */
    validUntil: integer("valid_until"),
    /** Whether somebody said from when it holds; otherwise from when it was recorded. */
    isExplicit: flag("is_explicit").notNull(),
    /** The members, as the API calls them. Null: there is none, or no longer. */
    body: json<Record<string, unknown>>("body"),
    recordedAt: integer("recorded_at").notNull(),
    /** Null: the service itself. */
    userId: integer("user_id"),
    apiTokenId: integer("api_token_id"),
    requestId: text("request_id"),
    reason: text("reason"),
    /** Null: it was not withdrawn. */
    withdrawnAt: integer("withdrawn_at"),
    /** The user who withdrew it. Null: the service itself. */
    withdrawnBy: integer("withdrawn_by"),
    /** When the row of the item may have to follow it next: when it begins, then when it ends. Null: it never has to. */
    dueAt: integer("due_at"),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    index("set_up_versions_item").on(t.companyId, t.kind, t.entity, t.machineId, t.id),
    // What machines have to know beside the present set-up.
    index("set_up_versions_dated").on(t.companyId, t.kind, t.entity).where(sql`is_explicit = 1`),
    index("set_up_versions_due").on(t.dueAt).where(sql`due_at is not null`),
  ],
);
