import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, updatedAt } from "./columns.ts";
import { companyId } from "./company-id.ts";
import { machines } from "./plant.ts";

/** Calls for help at machines. A machine has at most one open call. `created_at` is when help was called. */
export const helpCalls = sqliteTable(
  "help_calls",
  {
    id: integer("id").primaryKey(),
    companyId,
    machineId: integer("machine_id")
      .notNull()
      .references(() => machines.id),
    message: text("message"),
    /** A user, who may be of another company, and so in another database. */
    calledBy: integer("called_by").notNull(),
    /** Whoever called at a paired terminal: operators, or the terminal. Null: the user. */
    calledByName: text("called_by_name"),
    createdAt,
    updatedAt,
    /** Null: open. */
    answeredAt: integer("answered_at"),
    /** As `calledBy`. */
    answeredBy: integer("answered_by"),
    /** As `calledByName`. */
    answeredByName: text("answered_by_name"),
  },
  (t) => [
    uniqueIndex("help_calls_open").on(t.machineId).where(sql`answered_at is null`),
    index("help_calls_company").on(t.companyId, t.createdAt, t.id),
    index("help_calls_machine").on(t.machineId, t.createdAt, t.id),
    // Those that are open, in the list's order, and those that were answered long ago.
    index("help_calls_company_answered").on(t.companyId, t.answeredAt, t.createdAt, t.id),
  ],
);
