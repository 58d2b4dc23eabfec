import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { type BooksFinding, type BooksSums, closingMachineStates, closingStates } from "../values.ts";
import { createdAt, flag, json, updatedAt } from "./columns.ts";
import { companyId } from "./company-id.ts";
import { machines } from "./plant.ts";

/** Up to when the books of companies are closed: nothing before that changes. A company without a row has none that are. */
export const books = sqliteTable("books", {
  companyId: integer("company_id").primaryKey(),
  lockedTo: integer("locked_to").notNull().default(0),
  /** Up to when they are being closed; null: they are not. Set-up of before that cannot be changed any more. */
  closingTo: integer("closing_to"),
});

/** The closings of books. */
export const bookClosings = sqliteTable(
  "book_closings",
  {
    id: integer("id").primaryKey(),
    companyId,
    /** Up to when the books were closed before. */
    fromAt: integer("from_at").notNull(),
    toAt: integer("to_at").notNull(),
    state: text("state", { enum: closingStates }).notNull(),
    /** Null: none was given. */
    reason: text("reason"),
    isForced: flag("is_forced").notNull(),
    /** What people had left open. */
    findings: json<BooksFinding[]>("findings").notNull(),
    createdAt,
    /** Null: the service, by the company's setting. */
    createdBy: integer("created_by"),
    /** When it was closed, or failed. */
    endedAt: integer("ended_at"),
    /** Why it failed. */
    failure: text("failure"),
    /** What the shifts summed up to when it was closed, by machine. */
    sums: json<BooksSums[]>("sums"),
    reopenedAt: integer("reopened_at"),
    reopenedBy: integer("reopened_by"),
    reopenReason: text("reopen_reason"),
    /** When it goes on; null: there is nothing to do. */
    nextAt: integer("next_at"),
  },
  (t) => [
    index("book_closings_company").on(t.companyId, t.id),
    index("book_closings_due").on(t.companyId, t.nextAt).where(sql`next_at is not null`),
  ],
);

/** The machines of a closing, with how far each has come. The table has no rowid. */
export const bookClosingMachines = sqliteTable(
  "book_closing_machines",
  {
    closingId: integer("closing_id")
      .notNull()
      .references(() => bookClosings.id, { onDelete: "cascade" }),
    machineId: integer("machine_id")
      .notNull()
      .references(() => machines.id),
    state: text("state", { enum: closingMachineStates }).notNull(),
    /** What it waits for, or why it cannot go on; null: nothing. */
    waitsFor: text("waits_for"),
    updatedAt,
  },
  (t) => [primaryKey({ columns: [t.closingId, t.machineId] })],
);
