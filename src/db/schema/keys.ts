import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag } from "./columns.ts";

/** The keys that sealed texts need (core/cipher.ts), as they were last counted: see jobs/rotate-key.ts. */
export const keyUses = sqliteTable("key_uses", {
  /** Empty: the key of texts that were sealed before keys had ids. */
  keyId: text("key").primaryKey(),
  /** Whether new texts are sealed with it. */
  isCurrent: flag("is_current").notNull(),
  /** The number of texts that it has sealed. */
  texts: integer("texts").notNull(),
  /** When it was first found that no text needs it; null: some do. */
  unusedSince: integer("unused_since"),
  countedAt: integer("counted_at").notNull(),
});
