import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt } from "./columns.ts";

export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    userId: integer("user_id").notNull(),
    operation: text("operation").notNull(),
    key: text("key").notNull(),
    /** HMAC-SHA-256 of the body, hex. */
    requestHash: text("request_hash").notNull(),
    status: integer("status").notNull(),
    /** The body of the answer; null: it had none. */
    body: text("body"),
    createdAt,
  },
  (t) => [primaryKey({ columns: [t.userId, t.operation, t.key] }), index("idempotency_keys_age").on(t.createdAt)],
);
