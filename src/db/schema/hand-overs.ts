import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { HandOverFigures, HandOverNotes } from "../values.ts";
import { createdAt, json, updatedAt } from "./columns.ts";
import { companyId } from "./company-id.ts";
import { shifts } from "./plant.ts";

/** What one shift says to the next, of a line or of all machines. `created_at` is when it was written first. */
export const handOvers = sqliteTable(
  "hand_overs",
  {
    id: integer("id").primaryKey(),
    companyId,
    shiftId: integer("shift_id")
      .notNull()
      .references(() => shifts.id),
    /** The local date on which the shift starts. */
    date: text("date").notNull(),
    /** 0: all machines of the company. */
    lineId: integer("line_id").notNull(),
    /** Of the machine that began first, and of the one that ends last. */
    shiftStart: integer("shift_start").notNull(),
    shiftEnd: integer("shift_end").notNull(),
    notes: json<HandOverNotes>("notes").notNull(),
    watch: json<string[]>("watch").notNull(),
    /** The figures of the shift as they were handed over. */
    figures: json<HandOverFigures>("figures").notNull(),
    /** A user, who may be of another company, and so in another database. The name is as it was then. */
    writtenBy: integer("written_by").notNull(),
    writtenByName: text("written_by_name").notNull(),
    createdAt,
    updatedAt,
    /** Null: nobody has. */
    acknowledgedAt: integer("acknowledged_at"),
    acknowledgedBy: integer("acknowledged_by"),
    acknowledgedByName: text("acknowledged_by_name"),
  },
  (t) => [
    uniqueIndex("hand_overs_shift").on(t.companyId, t.date, t.shiftId, t.lineId),
    index("hand_overs_company").on(t.companyId, t.shiftStart, t.id),
  ],
);
