import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt } from "./columns.ts";
import { companyId } from "./company-id.ts";
import { companies } from "./identity.ts";

/**
 * The published events: written by machine objects with their rows, and by operations in the commit of the change. A repeated write adds nothing,
 * because `machineId` and `n`, or `key`, are unique. `seq` is the order in which D1 stored the events of the company, and in which they are
 * dispatched; per machine it is the order of the events. The table has no rowid. src/events/ reads and writes it.
 */
export const events = sqliteTable(
  "events",
  {
    companyId,
    seq: integer("seq").notNull(),
    /** Null: it concerns no single machine. */
    machineId: integer("machine_id"),
    /** The event's number among those that the machine published; null: something else published it. */
    n: integer("n"),
    /** The published id; null if it is made of the other columns. */
    key: text("key"),
    /** As in `eventTypeNumbers`. */
    type: integer("type").notNull(),
    /** The line that the machine was in when the event was stored. */
    lineId: integer("line_id"),
    /** When it happened. */
    at: integer("at").notNull(),
    createdAt,
    /** How `data` is stored: 0 as an object that is published as it is, 1 as an array (src/events/shapes.ts). */
    form: integer("form").notNull(),
    data: text("data").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.seq] }),
    uniqueIndex("events_machine").on(t.machineId, t.n),
    uniqueIndex("events_key").on(t.key).where(sql`key is not null`),
  ],
);

/** Up to which `seq` a company's events are dispatched (src/jobs/dispatch-events.ts). No row: none is. */
export const eventCounters = sqliteTable("event_counters", {
  companyId: integer("company_id")
    .primaryKey()
    .references(() => companies.id),
  dispatchedSeq: integer("dispatched_seq").notNull(),
});
