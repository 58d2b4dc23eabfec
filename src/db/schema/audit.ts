import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { actionColumn, anyIdColumn, requestIdColumn } from "../audit-columns.ts";
import { computed } from "./columns.ts";

/**
 * Who did what to which object. Append only: triggers refuse changes, and deletions of entries that are less than 30 days old. Written and read with
 * core/audit-entries.ts; the table has no rowid (migration 0053).
 */
export const audit = sqliteTable(
  "audit",
  {
    companyId: integer("company_id").notNull(),
    at: integer("at").notNull(),
    /** 16 bits of a counter and 32 random ones: with company and time, the entry's id. */
    nr: integer("nr").notNull(),
    /** The user who did it, or who created the API token that did it. */
    userId: integer("user_id").notNull(),
    /** Null: not by an API token. */
    apiTokenId: integer("api_token_id"),
    /** The id of the request in the log; null if it is not known. */
    requestId: requestIdColumn("request_id"),
    /** Kind and verb of the operation: `stop.classify`, `stop.split`, ... */
    action: actionColumn("action").notNull(),
    objectId: anyIdColumn("object_id").notNull(),
    /** How `changes` has the object before and after: see core/audit-entries.ts. */
    form: integer("form").notNull(),
    changes: text("changes", { mode: "json" }).$type<unknown>().notNull(),
    /**
     * The user's name then, if the user is of another company, and so maybe in another database; and at a paired terminal the operators who were signed
     * in, or the terminal. Null: the present name of the user.
     */
    userName: text("user_name"),
    /** The number of the kind of object. */
    kind: computed("kind", "action >> 8").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.at, t.nr] }),
    index("audit_user").on(t.companyId, t.userId, t.at),
    index("audit_object").on(t.companyId, t.kind, t.objectId, t.at),
    index("audit_token").on(t.companyId, t.apiTokenId, t.at).where(sql`api_token_id is not null`),
  ],
);
