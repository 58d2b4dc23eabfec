import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { type EventType, eventTypes } from "../values.ts";
import { createdAt } from "./columns.ts";
import { companyId } from "./company-id.ts";

/**
 * The published events: written by machine objects with their rows, and by operations in the commit of the change. The id is derived from the
 * content, so a repeated write adds nothing. `seq` is the order in which D1 stored them; per machine it is the order of the events.
 */
export const events = sqliteTable(
  "events",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    id: text("id").notNull(),
    companyId,
    /** Null: it concerns no single machine. */
    machineId: integer("machine_id"),
    type: text("type", { enum: eventTypes }).$type<EventType>().notNull(),
    /** When it happened. */
    at: integer("at").notNull(),
    data: text("data", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Null: not dispatched yet (src/jobs/dispatch-events.ts). */
    dispatchedAt: integer("dispatched_at"),
    createdAt,
  },
  (t) => [
    uniqueIndex("events_id").on(t.id),
    index("events_company").on(t.companyId, t.seq),
    index("events_machine").on(t.machineId, t.seq),
    index("events_undispatched").on(t.companyId, t.seq).where(sql`dispatched_at is null`),
    index("events_age").on(t.createdAt),
  ],
);
