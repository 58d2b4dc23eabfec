import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Who did what to which object. Append only: triggers refuse changes, and deletions of entries that are less than 30 days old. */
export const audit = sqliteTable(
  "audit",
  {
    id: text("id").primaryKey(),
    at: integer("at").notNull(),
    companyId: integer("company_id").notNull(),
    /** The user who did it, or who created the API token that did it. */
    userId: integer("user_id").notNull(),
    /** Null: not by an API token. */
    apiTokenId: integer("api_token_id"),
    /** The id of the request in the log; null if it is not known. */
    requestId: text("request_id"),
    /** Verb of the operation: `stop.classify`, `stop.split`, ... */
    action: text("action").notNull(),
    objectType: text("object_type").notNull(),
    objectId: text("object_id").notNull(),
    /** The object before and after; null if it did not exist then. */
    before: text("before", { mode: "json" }).$type<unknown>(),
    after: text("after", { mode: "json" }).$type<unknown>(),
  },
  (t) => [
    index("audit_company").on(t.companyId, t.at, t.id),
    index("audit_user").on(t.companyId, t.userId, t.at, t.id),
    index("audit_object").on(t.companyId, t.objectType, t.objectId, t.at, t.id),
    index("audit_age").on(t.at),
    index("audit_token").on(t.companyId, t.apiTokenId, t.at, t.id).where(sql`api_token_id is not null`),
  ],
);
