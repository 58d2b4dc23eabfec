import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { CalendarShift } from "../../oee/calendar-day.ts";
import { calendarScopes, channelTypes, type ShiftBreak, type Thresholds } from "../values.ts";
import { createdAt, flag, json, updatedAt } from "./columns.ts";
import { companyId } from "./company-id.ts";

/** Groups of machines for reports. */
export const lines = sqliteTable(
  "lines",
  {
    id: integer("id").primaryKey(),
    companyId,
    name: text("name").notNull(),
    order: integer("sort_order").notNull().default(0),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [
    uniqueIndex("lines_name").on(t.companyId, t.name).where(sql`deleted_at is null`),
    index("lines_company").on(t.companyId),
  ],
);

export const machines = sqliteTable(
  "machines",
  {
    id: integer("id").primaryKey(),
    companyId,
    name: text("name").notNull(),
    ref: text("ref").notNull(),
    nodeId: integer("node_id").notNull(),
    signal: text("signal", { enum: ["counts", "states"] }).notNull(),
    stopAfterSeconds: real("stop_after_seconds").notNull().default(120),
    noDataAfterSeconds: real("no_data_after_seconds").default(300),
    /** How long its counts are collected before they are sent. Null: each is sent when it is made. */
    reportingSeconds: real("reporting_seconds"),
    /** How many times the cycles that fit its counts may report: what is more is held. Null: nothing is. */
    holdFactor: real("hold_factor").default(20),
    standardCycleSeconds: real("standard_cycle_seconds"),
    commissionedAt: integer("commissioned_at").notNull(),
    decommissionedAt: integer("decommissioned_at"),
    /** Version of the machine's set-up: the machine, its shifts, standards and plans. */
    configVersion: integer("config_version").notNull().default(1),
    /** The version that the object has applied. Written by its flush. */
    configuredVersion: integer("configured_version").notNull().default(0),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
    /** When it was deleted and restored, in order. Null: never. */
    deletedTimes: text("deleted_times", { mode: "json" }).$type<[number, number][]>(),
    /** When its first event was stored. Written by the object's flush. Null: it has not started. */
    heardAt: integer("heard_at"),
    /** Null: in no line. A deleted machine keeps its line, for reports of the past. */
    lineId: integer("line_id").references(() => lines.id),
    /** Cost of an hour of the machine's time, in the company's currency. Null: not known. */
    hourlyRate: real("hourly_rate"),
    /**
     * The line and hourly rate of those of its rows that have none of their own, because a version wrote them that did not stamp them: what the
     * machine had when rows were first stamped. Line 0: it had none. Null: the machine is newer, and has no such rows.
     */
    unstampedLineId: integer("unstamped_line_id"),
    unstampedHourlyRate: real("unstamped_hourly_rate"),
    /**
     * The time whose numbers are being recalculated, both ends included; null: none. Written by the object's flushes, of which the last one says by its
     * `revision` that an earlier one is late.
     */
    recalculatingFrom: integer("recalculating_from"),
    recalculatingTo: integer("recalculating_to"),
    recalculatingRevision: integer("recalculating_revision"),
    /** Null: those of its company. */
    oeeThresholds: json<Thresholds>("oee_thresholds"),
    availabilityThresholds: json<Thresholds>("availability_thresholds"),
    coverageThresholds: json<Thresholds>("coverage_thresholds"),
  },
  (t) => [
    uniqueIndex("machines_ref").on(t.companyId, t.ref).where(sql`deleted_at is null`),
    index("machines_company").on(t.companyId),
    index("machines_line").on(t.lineId),
    index("machines_node").on(t.companyId, t.nodeId),
    index("machines_unconfigured").on(t.id).where(sql`configured_version < config_version`),
    index("machines_recalculating").on(t.companyId).where(sql`recalculating_from is not null`),
  ],
);

/** The lines that machines have left, so that reports find what was made in a line. The table has no rowid. */
export const formerLines = sqliteTable(
  "former_lines",
  { lineId: integer("line_id").notNull(), machineId: integer("machine_id").notNull() },
  (t) => [primaryKey({ columns: [t.lineId, t.machineId] }), index("former_lines_machine").on(t.machineId)],
);

/** Present once a machine's count sensors are configured (op 2). */
export const countSensors = sqliteTable("count_sensors", {
  machineId: integer("machine_id")
    .primaryKey()
    .references(() => machines.id),
  isCountEnabled: flag("is_count_enabled").notNull(),
  updatedAt,
});

/**
 * The history of channels: which machine a gateway's channel feeds in [since, until), as which type, and the units per pulse. A count is
 * interpreted by the row in force at its own time. The rows of a channel never overlap.
 */
export const countChannels = sqliteTable(
  "count_channels",
  {
    companyId: integer("company_id").notNull(),
    nodeId: integer("node_id").notNull(),
    channel: integer("channel").notNull(),
    /** 0: from the beginning. */
    since: integer("since").notNull().default(0),
    /** Null: in force. */
    until: integer("until"),
    machineId: integer("machine_id")
      .notNull()
      .references(() => machines.id),
    type: text("type", { enum: channelTypes }).notNull(),
    countingFactor: real("counting_factor").notNull(),
    /** The total at which the counter starts again at 0. Null: it does not wrap. */
    wrapsAt: integer("wraps_at"),
    /** The machine's `isCountEnabled` in that time. */
    isCounted: flag("is_counted").notNull().default(true),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.nodeId, t.channel, t.since] }),
    uniqueIndex("count_channels_open").on(t.companyId, t.nodeId, t.channel).where(sql`"until" is null`),
    // Finds the rows that were in force recently without reading older history.
    index("count_channels_node").on(t.companyId, t.nodeId, t.until),
    index("count_channels_machine").on(t.machineId, t.until),
  ],
);

export const shifts = sqliteTable(
  "shifts",
  {
    id: integer("id").primaryKey(),
    companyId,
    name: text("name").notNull(),
    /** Local wall-clock `HH:mm`; equal start and end is 24 h. */
    start: text("start").notNull(),
    end: text("end").notNull(),
    /** Weekdays on which the shift starts: ISO numbers, Monday is 1. */
    days: text("days", { mode: "json" }).$type<number[]>().notNull(),
    breaks: text("breaks", { mode: "json" }).$type<ShiftBreak[]>().notNull(),
    /** Null: every machine of the company. */
    machineIds: text("machine_ids", { mode: "json" }).$type<number[] | null>(),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [index("shifts_company").on(t.companyId)],
);

/** Local days with shifts of their own, for a company, a line or a machine. */
export const calendarDays = sqliteTable(
  "calendar_days",
  {
    id: integer("id").primaryKey(),
    companyId,
    /** ISO date. */
    date: text("date").notNull(),
    scope: text("scope", { enum: calendarScopes }).notNull(),
    lineId: integer("line_id").references(() => lines.id),
    machineId: integer("machine_id").references(() => machines.id),
    /** Empty: closed. */
    shifts: text("shifts", { mode: "json" }).$type<CalendarShift[]>().notNull(),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [
    uniqueIndex("calendar_days_of_company")
      .on(t.companyId, t.date)
      .where(sql`deleted_at is null and line_id is null and machine_id is null`),
    uniqueIndex("calendar_days_of_line").on(t.lineId, t.date).where(sql`deleted_at is null`),
    uniqueIndex("calendar_days_of_machine").on(t.machineId, t.date).where(sql`deleted_at is null`),
    index("calendar_days_company").on(t.companyId),
    index("calendar_days_scope").on(t.companyId, t.machineId, t.lineId),
  ],
);

export const operators = sqliteTable(
  "operators",
  {
    id: integer("id").primaryKey(),
    companyId,
    name: text("name").notNull(),
    code: text("code").notNull(),
    /** As passwords are stored. Null: none. */
    pinHash: text("pin_hash"),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [
    uniqueIndex("operators_code").on(t.companyId, t.code).where(sql`deleted_at is null`),
    index("operators_company").on(t.companyId),
  ],
);

export const operatorPlans = sqliteTable(
  "operator_plans",
  {
    id: text("id").primaryKey(),
    companyId,
    fileId: text("file_id"),
    title: text("title").notNull(),
    since: integer("since").notNull(),
    until: integer("until").notNull(),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [index("operator_plans_company").on(t.companyId, t.id)],
);

export const operatorPlanAssignments = sqliteTable(
  "operator_plan_assignments",
  {
    planId: text("plan_id")
      .notNull()
      .references(() => operatorPlans.id),
    machineId: integer("machine_id")
      .notNull()
      .references(() => machines.id),
    shiftId: integer("shift_id")
      .notNull()
      .references(() => shifts.id),
    operatorId: integer("operator_id")
      .notNull()
      .references(() => operators.id),
  },
  (t) => [
    primaryKey({ columns: [t.planId, t.machineId, t.shiftId, t.operatorId] }),
    index("operator_plan_assignments_machine").on(t.machineId),
  ],
);

/** The id is chosen by the company and unique within it. */
export const skus = sqliteTable(
  "skus",
  {
    companyId,
    id: text("id").notNull(),
    name: text("name").notNull(),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] })],
);

export const skuStandards = sqliteTable(
  "sku_standards",
  {
    companyId: integer("company_id").notNull(),
    skuId: text("sku_id").notNull(),
    /** 0: any machine. SQLite treats NULLs in unique indexes as different. */
    machineId: integer("machine_id").notNull().default(0),
    standardCycleSeconds: real("standard_cycle_seconds").notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.skuId, t.machineId] })],
);

export const stopCauses = sqliteTable(
  "stop_causes",
  {
    id: integer("id").primaryKey(),
    companyId,
    level: text("level", { enum: ["general", "specific", "component"] }).notNull(),
    parentId: integer("parent_id"),
    name: text("name").notNull(),
    /** The cause's own flags. Null: inherited from the general cause above it; without one, not programmed and included. */
    ownIsProgrammed: flag("is_programmed"),
    ownIsIncludedInAvailability: flag("is_included_in_availability"),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [
    index("stop_causes_company").on(t.companyId),
    index("stop_causes_parent").on(t.parentId),
    uniqueIndex("stop_causes_name").on(t.companyId, t.level, t.parentId, t.name).where(sql`deleted_at is null`),
    // SQLite treats NULLs in unique indexes as different, so causes without a parent need their own index.
    uniqueIndex("stop_causes_top_name").on(t.companyId, t.level, t.name).where(sql`parent_id is null and deleted_at is null`),
  ],
);

/** Why units are rejected. */
export const defectReasons = sqliteTable(
  "defect_reasons",
  {
    id: integer("id").primaryKey(),
    companyId,
    name: text("name").notNull(),
    createdAt,
    updatedAt,
    deletedAt: integer("deleted_at"),
  },
  (t) => [
    index("defect_reasons_company").on(t.companyId),
    uniqueIndex("defect_reasons_name").on(t.companyId, t.name).where(sql`deleted_at is null`),
  ],
);
