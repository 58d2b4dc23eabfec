import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { actionStates, lossKinds } from "../values.ts";
import { createdAt, updatedAt } from "./columns.ts";
import { companyId } from "./company-id.ts";

/** What people do about a loss: who, what, until when. */
export const actions = sqliteTable(
  "actions",
  {
    id: integer("id").primaryKey(),
    companyId,
    loss: text("loss", { enum: lossKinds }).notNull(),
    /** Of the loss `cause`; both null: stops without one. */
    generalCauseId: integer("general_cause_id"),
    specificCauseId: integer("specific_cause_id"),
    /** Null, as `lineId`: of all machines. */
    machineId: integer("machine_id"),
    lineId: integer("line_id"),
    /** The time in which it was seen, and its minutes and those of the planned time then. */
    seenFrom: integer("seen_from").notNull(),
    seenTo: integer("seen_to").notNull(),
    seenMinutes: real("seen_minutes").notNull(),
    seenPlannedMinutes: real("seen_planned_minutes").notNull(),
    measure: text("measure").notNull(),
    /** A user of the company. */
    ownerId: integer("owner_id").notNull(),
    /** A local date. */
    dueOn: text("due_on").notNull(),
    state: text("state", { enum: actionStates }).notNull(),
    comment: text("comment"),
    /** When it was done or dropped; null: it is open. */
    endedAt: integer("ended_at"),
    createdBy: integer("created_by").notNull(),
    createdAt,
    updatedAt,
  },
  (t) => [
    index("actions_company").on(t.companyId, t.createdAt, t.id),
    index("actions_ended").on(t.companyId, t.endedAt, t.id).where(sql`ended_at is not null`),
  ],
);
