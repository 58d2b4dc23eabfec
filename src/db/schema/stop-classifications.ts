import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { LeftOut, StopClassificationEdit, WaitingStops } from "../values.ts";
import { createdAt, json } from "./columns.ts";
import { companyId } from "./company-id.ts";

/** Bulk classifications: one request that gives many stops the same causes. The stops themselves are in the objects of their machines. */
export const stopClassifications = sqliteTable(
  "stop_classifications",
  {
    id: text("id").primaryKey(),
    companyId,
    state: text("state", { enum: ["running", "done", "undoing", "undone"] }).notNull(),
    createdAt,
    /** A user, who may be of another company, and so in another database. */
    userId: integer("user_id").notNull(),
    apiTokenId: integer("api_token_id"),
    requestId: text("request_id").notNull(),
    what: json<StopClassificationEdit>("what").notNull(),
    /** How many stops were asked for. */
    total: integer("total").notNull(),
    classified: integer("classified").notNull().default(0),
    unchanged: integer("unchanged").notNull().default(0),
    /** The ids of the stops that were left as they are, by why. */
    leftOut: json<Partial<Record<LeftOut, number[]>>>("left_out").notNull(),
    /** The stops that are still to be classified: their machine, and the number and version of each. */
    waiting: json<WaitingStops[]>("waiting").notNull(),
    /** When the job may take it next; null: nothing waits. */
    nextAt: integer("next_at"),
    endedAt: integer("ended_at"),
    /** The machines of its stops. */
    machineIds: json<number[]>("machine_ids"),
    /** The user who took it back, and the request that did. */
    undoneBy: integer("undone_by"),
    undoneRequestId: text("undone_request_id"),
    undoneAt: integer("undone_at"),
    /** How many stops are as they were before. */
    undone: integer("undone").notNull().default(0),
    /** How many stops a person had changed meanwhile: these are left as they are. */
    kept: integer("kept").notNull().default(0),
  },
  (t) => [
    index("stop_classifications_company").on(t.companyId, t.createdAt, t.id),
    index("stop_classifications_next").on(t.nextAt).where(sql`next_at is not null`),
  ],
);
