import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * What each company stores of a kind: kept by triggers of the counted tables (migration 0043), so no write can forget it. The kind `all` has the
 * bytes of all others together.
 */
export const usage = sqliteTable(
  "usage",
  {
    companyId: integer("company_id").notNull(),
    kind: text("kind").notNull(),
    /** Rows that are not deleted; of work orders, the open ones. */
    items: integer("items").notNull(),
    /** Of all rows, deleted ones too: they stay stored. */
    bytes: integer("bytes").notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.kind] })],
);

/** The most that a company may have. Rows of company 0 hold for companies without a row of their own. */
export const quotas = sqliteTable(
  "quotas",
  { companyId: integer("company_id").notNull(), quota: text("quota").notNull(), most: integer("most").notNull() },
  (t) => [primaryKey({ columns: [t.companyId, t.quota] })],
);
