import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The oldest row of each company and kind (core/retention.ts), as the job that deletes old rows last saw it: that job finds here which companies have
 * something due. Company 0 has the kinds that belong to no company. No row: nobody has looked yet. The table has no rowid.
 */
export const retention = sqliteTable(
  "retention",
  {
    companyId: integer("company_id").notNull(),
    kind: text("kind").notNull(),
    /** The time from which its period counts; of a kind without rows, when the job looked. */
    oldestAt: integer("oldest_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.kind] }), index("retention_oldest").on(t.kind, t.oldestAt)],
);

/** The companies whose old rows are being deleted. A run that was killed leaves its row: the next one begins after `until`. */
export const retentionRuns = sqliteTable("retention_runs", {
  companyId: integer("company_id").primaryKey(),
  until: integer("until").notNull(),
});

/**
 * The parts of days that are in the archive (core/archive/parts.ts), each recorded when its object is stored and before its rows are deleted. The table
 * has no rowid.
 */
export const archivedDays = sqliteTable(
  "archived_days",
  {
    companyId: integer("company_id").notNull(),
    kind: text("kind", { enum: ["audit", "events"] }).notNull(),
    /** The start of the UTC day. */
    day: integer("day").notNull(),
    /** From 1 on: a day has several if it has many rows, or if some arrived later. */
    part: integer("part").notNull(),
    rows: integer("rows").notNull(),
    /** The size of the object. */
    bytes: integer("bytes").notNull(),
    /** The key of the part's last row, as JSON. */
    lastKey: text("last_key").notNull(),
    /** The same of its first row. Parts of the version before, which are of the audit, have defaults in this column and the next two. */
    firstKey: text("first_key").notNull().default("[]"),
    /** The earliest and the latest time of its rows: of events, when they happened, which may be before the day. */
    fromAt: integer("from_at").notNull().default(0),
    toAt: integer("to_at").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.kind, t.day, t.part] })],
);
