import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, type SQLiteColumn, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { workOrderStatuses } from "../values.ts";
import { createdAt, updatedAt } from "./columns.ts";
import { companyId } from "./company-id.ts";
import { machines } from "./plant.ts";

// When an order is due; orders without a time come after or before all others. Literals, because SQLite compares the text of an index; CASE, because
// drizzle-kit accepts no comma in it.
export const dueOrLast = ({ estimatedDeliveryAt: due }: { estimatedDeliveryAt: SQLiteColumn }) =>
  sql`CASE WHEN ${due} IS NULL THEN 9000000000000000 ELSE ${due} END`;
export const dueOrFirst = ({ estimatedDeliveryAt: due }: { estimatedDeliveryAt: SQLiteColumn }) =>
  sql`CASE WHEN ${due} IS NULL THEN -9000000000000000 ELSE ${due} END`;

export const workOrders = sqliteTable(
  "work_orders",
  {
    id: text("id").primaryKey(),
    companyId,
    /** What parts of shifts have instead of the id, which is six times as long. A trigger numbers the orders; no number is used twice. */
    number: integer("number"),
    code: text("code").notNull(),
    name: text("name").notNull(),
    status: text("status", { enum: workOrderStatuses }).notNull(),
    priority: real("priority").notNull(),
    source: text("source").notNull(),
    estimatedDeliveryAt: integer("estimated_delivery_at"),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
    /** The delivery time of the last `work_order.late` event; null: there was none yet. The column keeps its first name: two versions of the service write it. */
    lateNotifiedFor: integer("late_told_for"),
    /** When it was completed or cancelled; null: it is open, or was closed before this was recorded. */
    closedAt: integer("closed_at"),
  },
  (t) => [
    // Open orders that may become late.
    index("work_orders_untold")
      .on(t.estimatedDeliveryAt)
      .where(
        sql`status in ('Backlog', 'Planned', 'InProgress', 'Paused') and deleted_at is null and late_told_for is not estimated_delivery_at`,
      ),
    uniqueIndex("work_orders_number").on(t.number),
    uniqueIndex("work_orders_code").on(t.companyId, t.code).where(sql`deleted_at is null`),
    index("work_orders_status").on(t.companyId, t.status, t.createdAt, t.id),
    index("work_orders_company").on(t.companyId, t.createdAt, t.id),
    // For each sort order of the list: of all orders, and of those with a given status.
    index("work_orders_due").on(t.companyId, dueOrLast(t), t.id),
    index("work_orders_status_due").on(t.companyId, t.status, dueOrLast(t), t.id),
    index("work_orders_due_first").on(t.companyId, dueOrFirst(t), t.id),
    index("work_orders_status_due_first").on(t.companyId, t.status, dueOrFirst(t), t.id),
    index("work_orders_priority").on(t.companyId, t.priority, t.id),
    index("work_orders_status_priority").on(t.companyId, t.status, t.priority, t.id),
    index("work_orders_status_code").on(t.companyId, t.status, t.code, t.id),
  ],
);

export const workOrderMachines = sqliteTable(
  "work_order_machines",
  {
    workOrderId: text("work_order_id")
      .notNull()
      .references(() => workOrders.id),
    machineId: integer("machine_id")
      .notNull()
      .references(() => machines.id),
  },
  (t) => [primaryKey({ columns: [t.workOrderId, t.machineId] }), index("work_order_machines_machine").on(t.machineId)],
);

/**
 * The quantity of a SKU to make, and the units that people reported in addition to the counts of the line (which are in `order_runs`). The total of a
 * SKU is the total last stated, plus reports for later times, plus the units of the line in runs that started then or later.
 */
export const workOrderTargets = sqliteTable(
  "work_order_targets",
  {
    workOrderId: text("work_order_id")
      .notNull()
      .references(() => workOrders.id),
    skuId: text("sku_id").notNull(),
    targetQuantity: real("target_quantity").notNull(),
    reportedCorrect: real("reported_correct").notNull().default(0),
    reportedDefects: real("reported_defects").notNull().default(0),
    createdAt,
    updatedAt,
    /** The time for which a total of correct units was last stated: earlier runs do not add to it. Null: never. */
    correctStatedAt: integer("stated_at"),
    /** The same for defects. */
    defectsStatedAt: integer("defects_stated_at"),
  },
  (t) => [primaryKey({ columns: [t.workOrderId, t.skuId] })],
);

/** Every report of an order's progress or status, including those that changed no total. Never changed. */
export const workOrderProgress = sqliteTable(
  "work_order_progress",
  {
    id: text("id").primaryKey(),
    workOrderId: text("work_order_id")
      .notNull()
      .references(() => workOrders.id),
    skuId: text("sku_id"),
    /** As reported: units to add, or a total, by `mode`. Null: not reported. Old `absolute` rows hold the difference. */
    correct: real("correct"),
    defects: real("defects"),
    mode: text("mode", { enum: ["delta", "absolute"] }).notNull(),
    /** The order's status after the change. */
    status: text("status", { enum: workOrderStatuses }).notNull(),
    machineId: integer("machine_id"),
    operatorId: integer("operator_id"),
    userId: integer("user_id").notNull(),
    comment: text("comment"),
    occurredAt: integer("occurred_at").notNull(),
    createdAt,
  },
  (t) => [index("work_order_progress_time").on(t.workOrderId, t.occurredAt)],
);

/** Units that the line counted for an order in one run on a machine. Written by the machine's object only. */
export const orderRuns = sqliteTable(
  "order_runs",
  {
    machineId: integer("machine_id").notNull(),
    startAt: integer("start_at").notNull(),
    revision: integer("revision").notNull(),
    workOrderId: text("work_order_id").notNull(),
    skuId: text("sku_id").notNull(),
    correct: integer("correct").notNull(),
    defects: integer("defects").notNull(),
    /** Those of `correct` that were counted outside every shift. */
    correctOutsideShifts: integer("correct_outside_shifts").notNull().default(0),
    /** Null while the run lasts. */
    endAt: integer("end_at"),
  },
  (t) => [
    primaryKey({ columns: [t.machineId, t.startAt] }),
    index("order_runs_order").on(t.workOrderId, t.skuId),
    index("order_runs_open").on(t.workOrderId).where(sql`end_at is null`),
  ],
);

/**
 * The units that deleted runs add to the totals of their order. A stated total replaces them: they become 0, and the row stays, because it also says that
 * something was made. The table has no rowid.
 */
export const deletedRunTotals = sqliteTable(
  "deleted_run_totals",
  {
    workOrderId: text("work_order_id").notNull(),
    skuId: text("sku_id").notNull(),
    correct: integer("correct").notNull(),
    defects: integer("defects").notNull(),
    correctOutsideShifts: integer("correct_outside_shifts").notNull(),
    /** The end of the last of these runs: no total can be stated for an earlier time any more. */
    lastEndAt: integer("last_end_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.workOrderId, t.skuId] })],
);

/** Up to when the runs of a machine are deleted: runs that its object publishes again are not stored, because their units would count twice. */
export const deletedRuns = sqliteTable("deleted_runs", {
  machineId: integer("machine_id").primaryKey(),
  lastEndAt: integer("last_end_at").notNull(),
});
