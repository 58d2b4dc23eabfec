import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The last id that was assigned in each numbered table: see core/sequence.ts. */
export const sequences = sqliteTable("sequences", {
  name: text("name").primaryKey(),
  last: integer("last").notNull(),
});
