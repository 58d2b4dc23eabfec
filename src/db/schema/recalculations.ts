import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { recalculationStates } from "../values.ts";
import { createdAt, flag, updatedAt } from "./columns.ts";
import { companyId } from "./company-id.ts";
import { machines } from "./plant.ts";

/** Recalculations and dry runs that people asked for. Those that the service begins by itself are not here. */
export const recalculations = sqliteTable(
  "recalculations",
  {
    id: integer("id").primaryKey(),
    companyId,
    reason: text("reason").notNull(),
    fromAt: integer("from_at").notNull(),
    toAt: integer("to_at").notNull(),
    createdAt,
    /** A user, who may be of another company, and so in another database. */
    createdBy: integer("created_by").notNull(),
    /** When its last machine had ended. Null: it has not ended. */
    endedAt: integer("ended_at"),
    /** Whether it only finds out what a change of the set-up would do. */
    isDryRun: flag("is_dry_run").notNull().default(false),
    /** The change that a dry run tries, as JSON. Null: it is none. */
    trial: text("trial"),
    /** When a dry run goes on, if nobody works on it. Null: it is none, or has ended. */
    nextAt: integer("next_at"),
  },
  (t) => [
    index("recalculations_company").on(t.companyId, t.id),
    index("recalculations_open").on(t.companyId).where(sql`ended_at is null`),
    index("recalculations_due").on(t.nextAt).where(sql`next_at is not null`),
    index("recalculations_ended").on(t.endedAt).where(sql`ended_at is not null`),
  ],
);

/** Their machines, with how far each has come. Written by the machine's flushes, apart from its first state. The table has no rowid. */
export const recalculationMachines = sqliteTable(
  "recalculation_machines",
  {
    recalculationId: integer("recalculation_id")
      .notNull()
      .references(() => recalculations.id, { onDelete: "cascade" }),
    machineId: integer("machine_id")
      .notNull()
      .references(() => machines.id),
    state: text("state", { enum: recalculationStates }).notNull(),
    /** Up to when it has come in what its state says. Null: it has not begun. */
    reachedAt: integer("reached_at"),
    /** How many records of closed shifts it has changed. */
    changedRecords: integer("changed_records").notNull().default(0),
    updatedAt,
    /** What a dry run found out, as JSON. */
    result: text("result"),
  },
  (t) => [
    primaryKey({ columns: [t.recalculationId, t.machineId] }),
    index("recalculation_machines_requested").on(t.recalculationId, t.updatedAt).where(sql`state = 'requested'`),
  ],
);
