import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { fiveMinutesColumn } from "../five-minutes.ts";
import type { RevisionBody, RevisionReason, WithdrawalFilter } from "../values.ts";
import { computed, createdAt, flag, json, updatedAt } from "./columns.ts";

// Written by machine objects only (machine/publish/flush-statements.ts). `revision` numbers an object's flushes: a late write never overwrites a newer one.
// `line_id` is the machine's line when the row's shift began: 0 for none; null in rows of versions that did not write it, whose line is that of
// `machines.unstamped_line_id`. `day` is the production day to which the shift counts, in days since 1970-01-01; null: its time counts for the calendar
// day. `recorded_at` is when the database took the row in its present form.

const shiftRecordsColumns = {
  id: integer("id").primaryKey(),
  revision: integer("revision").notNull(),
  companyId: integer("company_id").notNull(),
  machineId: integer("machine_id").notNull(),
  shiftId: integer("shift_id").notNull(),
  startAt: integer("start_at").notNull(),
  endAt: integer("end_at").notNull(),
  asOf: integer("as_of").notNull(),
  openBucket: text("open_bucket", { enum: ["available", "noData", "programmed", "nonProgrammed", "other"] }),
  openIsAnnotated: flag("open_is_annotated").notNull(),
  availableMs: integer("available_ms").notNull(),
  noDataMs: integer("no_data_ms").notNull(),
  programmedMs: integer("programmed_ms").notNull(),
  nonProgrammedMs: integer("non_programmed_ms").notNull(),
  otherMs: integer("other_ms").notNull(),
  lateStartMs: integer("late_start_ms").notNull(),
  /** Non-programmed time after the last available second: the early stop, once the shift is closed. */
  nonProgrammedSinceAvailableMs: integer("non_programmed_since_available_ms").notNull(),
  annotatedMs: integer("annotated_ms").notNull(),
  cycles: integer("cycles").notNull(),
  totalUnits: integer("total_units").notNull(),
  defectUnits: integer("defect_units").notNull(),
  /** Units of `total_units` whose time is not known: `ideal_ms` and `cycles_with_standard` do not contain them. */
  unitsWithoutTime: real("units_without_time").notNull().default(0),
  idealMs: real("ideal_ms").notNull(),
  cyclesWithStandard: integer("cycles_with_standard").notNull(),
  lostByDefectsMs: real("lost_by_defects_ms").notNull(),
  /** Standard cycle of the current SKU, for a shift in which nothing was made yet. Null: it has no standard. */
  standardCycleMs: real("standard_cycle_ms"),
  recentUnits: integer("recent_units").notNull(),
  recentMs: integer("recent_ms").notNull(),
  createdAt,
  updatedAt,
  /** Times without data in the shift, as `[start, end]` pairs; the end is null while it lasts. */
  noDataSpans: text("no_data_spans", { mode: "json" }).$type<[number, number | null][]>().notNull(),
  lineId: integer("line_id"),
  /** `day` − the UTC day of `start_at`. */
  dayOffset: integer("day_offset"),
  /** The machine's hourly rate when the shift began. Null: none, or like `line_id`. */
  hourlyRate: real("hourly_rate"),
  /** Units that corrections added; null: none. */
  correctedTotal: real("corrected_total"),
  /** Defects that corrections added; null: none. */
  correctedDefects: real("corrected_defects"),
  /** `recorded_at` − `updated_at`. */
  recordedAfterMs: integer("recorded_after_ms"),
  day: computed("day", "start_at / 86400000 + day_offset"),
  recordedAt: computed("recorded_at", "updated_at + recorded_after_ms"),
};

/** One row per machine and shift occurrence. Sums as of `as_of`; since then a running shift has been in `open_bucket`. */
export const shiftRecords = sqliteTable("shift_records", shiftRecordsColumns, (t) => [
  index("shift_records_start").on(t.startAt, t.id),
  index("shift_records_company").on(t.companyId, t.startAt, t.id),
  index("shift_records_machine").on(t.machineId, t.startAt),
]);

/** Good units that a machine counted outside every shift, one row per local hour in which there were any. */
export const hoursOutsideShifts = sqliteTable(
  "hours_outside_shifts",
  {
    machineId: integer("machine_id").notNull(),
    startAt: integer("start_at").notNull(),
    revision: integer("revision").notNull(),
    companyId: integer("company_id").notNull(),
    units: real("units").notNull(),
    lineId: integer("line_id"),
  },
  (t) => [primaryKey({ columns: [t.machineId, t.startAt] }), index("hours_outside_shifts_company").on(t.companyId, t.startAt)],
);

/** What is held of a machine's counts, one row per UTC day and reason. */
export const heldEntries = sqliteTable(
  "held_entries",
  {
    id: integer("id").primaryKey(),
    revision: integer("revision").notNull(),
    companyId: integer("company_id").notNull(),
    machineId: integer("machine_id").notNull(),
    /** Start of the day. */
    day: integer("day").notNull(),
    reason: text("reason").notNull(),
    count: integer("count").notNull(),
    units: real("units").notNull(),
    firstAt: integer("first_at").notNull(),
    lastAt: integer("last_at").notNull(),
    createdAt,
    updatedAt,
  },
  (t) => [index("held_entries_company").on(t.companyId, t.day, t.id), index("held_entries_machine").on(t.machineId, t.day, t.id)],
);

/** What people said of stops of which nothing counts any more, as machines publish it. */
export const orphanedEdits = sqliteTable(
  "orphaned_edits",
  {
    id: integer("id").primaryKey(),
    revision: integer("revision").notNull(),
    companyId: integer("company_id").notNull(),
    machineId: integer("machine_id").notNull(),
    /** The time of which it was said. */
    startAt: integer("start_at").notNull(),
    endAt: integer("end_at").notNull(),
    /** The stop of which it was said; it may be gone. */
    stopId: integer("stop_id").notNull(),
    action: text("action").notNull(),
    reason: text("reason").notNull(),
    saidAt: integer("said_at").notNull(),
    /** Null: not known, from before edits were kept. */
    userId: integer("user_id"),
    /** The members of the mark that were said (JSON); null for a split or a merge. */
    said: text("said"),
    /** Where it split or merged stops. */
    boundaryAt: integer("boundary_at"),
    createdAt,
    updatedAt,
  },
  (t) => [
    index("orphaned_edits_company").on(t.companyId, t.startAt, t.id),
    index("orphaned_edits_machine").on(t.machineId, t.startAt, t.id),
  ],
);

/** Units that people added to what machines counted, or took away. The sums of shifts, parts, operators and runs contain them. */
export const corrections = sqliteTable(
  "corrections",
  {
    id: integer("id").primaryKey(),
    revision: integer("revision").notNull(),
    companyId: integer("company_id").notNull(),
    machineId: integer("machine_id").notNull(),
    at: integer("at").notNull(),
    /** The start of its shift. Null: the machine has no shift at its instant any more. */
    shiftStart: integer("shift_start"),
    shiftId: integer("shift_id"),
    /** What it is of and for: as it was entered, or else as it was applied. Null: none. */
    skuId: text("sku_id"),
    workOrderId: text("work_order_id"),
    total: real("total").notNull(),
    defects: real("defects").notNull(),
    /** To be made good: defects, too. */
    rework: real("rework").notNull(),
    reasonId: integer("reason_id"),
    comment: text("comment"),
    /** What the sums contain of it: less than was entered if less was counted than it takes away. `defects` with those to rework. */
    appliedTotal: real("applied_total").notNull(),
    appliedDefects: real("applied_defects").notNull(),
    userId: integer("user_id").notNull(),
    apiTokenId: integer("api_token_id"),
    undoneAt: integer("undone_at"),
    undoneBy: integer("undone_by"),
    /** As in the shift's record. */
    lineId: integer("line_id"),
    day: integer("day"),
    createdAt,
    updatedAt,
  },
  (t) => [index("corrections_company").on(t.companyId, t.at, t.id), index("corrections_machine").on(t.machineId, t.at, t.id)],
);

/** Events of machines that people withdrew: they count for nothing unless they were restored. */
export const eventWithdrawals = sqliteTable(
  "event_withdrawals",
  {
    id: integer("id").primaryKey(),
    revision: integer("revision").notNull(),
    companyId: integer("company_id").notNull(),
    machineId: integer("machine_id").notNull(),
    fromAt: integer("from_at").notNull(),
    toAt: integer("to_at").notNull(),
    filter: json<WithdrawalFilter>("filter").notNull(),
    reason: text("reason").notNull(),
    /** How many events it withdrew when it was made. */
    events: integer("events").notNull(),
    userId: integer("user_id").notNull(),
    apiTokenId: integer("api_token_id"),
    restoredAt: integer("restored_at"),
    restoredBy: integer("restored_by"),
    createdAt,
    updatedAt,
  },
  (t) => [
    index("event_withdrawals_company").on(t.companyId, t.fromAt, t.id),
    index("event_withdrawals_machine").on(t.machineId, t.fromAt, t.id),
  ],
);

const stopsColumns = {
  id: integer("id").notNull(),
  shiftStart: integer("shift_start").notNull(),
  revision: integer("revision").notNull(),
  companyId: integer("company_id").notNull(),
  machineId: integer("machine_id").notNull(),
  shiftId: integer("shift_id").notNull(),
  /** `shift_end` − `shift_start`. */
  shiftMs: integer("shift_ms").notNull(),
  sliceStart: integer("slice_start").notNull(),
  /** `slice_end` − `slice_start`. */
  sliceMs: integer("slice_ms"),
  /** `slice_start` − `start_at`. */
  beforeSliceMs: integer("before_slice_ms").notNull(),
  /** `end_at` − `start_at`. */
  durationMs: integer("duration_ms"),
  /** Number of changes by people. Part of the ETag. */
  version: integer("version").notNull().default(0),
  /** Given by a person. */
  name: text("name"),
  /** The planned break that caused it. */
  breakName: text("break_name"),
  isManual: flag("is_manual").notNull(),
  isProgrammed: flag("is_programmed").notNull(),
  isIncludedInStops: flag("is_included_in_stops").notNull(),
  isIncludedInAvailability: flag("is_included_in_availability").notNull(),
  classificationId: integer("classification_id"),
  description: text("description"),
  generalCauseId: integer("general_cause_id"),
  specificCauseId: integer("specific_cause_id"),
  componentId: integer("component_id"),
  /** `classified_at` − `shift_start`; the following two are the same for their instants. */
  classifiedAfterMs: integer("classified_after_ms"),
  createdAfterMs: integer("created_after_ms").notNull(),
  updatedAfterMs: integer("updated_after_ms").notNull(),
  reclassifiedAt: integer("reclassified_at"),
  deletedAt: integer("deleted_at"),
  lineId: integer("line_id"),
  /** `day` − the UTC day of `shift_start`. */
  dayOffset: integer("day_offset"),
  /** `recorded_at` − `updated_at`. */
  recordedAfterMs: integer("recorded_after_ms"),
  shiftEnd: computed("shift_end", "shift_start + shift_ms").notNull(),
  startAt: computed("start_at", "slice_start - before_slice_ms").notNull(),
  /** Null while the stop lasts. */
  endAt: computed("end_at", "slice_start - before_slice_ms + duration_ms"),
  sliceEnd: computed("slice_end", "slice_start + slice_ms"),
  classifiedAt: computed("classified_at", "shift_start + classified_after_ms"),
  createdAt: computed("created_at", "shift_start + created_after_ms").notNull(),
  updatedAt: computed("updated_at", "shift_start + updated_after_ms").notNull(),
  day: computed("day", "shift_start / 86400000 + day_offset"),
  recordedAt: computed("recorded_at", "shift_start + updated_after_ms + recorded_after_ms"),
};

/**
 * One row per stop and shift: the whole stop, and its slice in that shift. Written with `slimStop` (db/slim-rows.ts); the table has no rowid
 * (migration 0052), and a stop's id begins with its machine's.
 */
export const stops = sqliteTable("stops", stopsColumns, (t) => [
  primaryKey({ columns: [t.id, t.shiftStart] }),
  index("stops_slice").on(t.sliceStart, t.id, t.shiftStart),
  index("stops_company").on(t.companyId, t.sliceStart, t.id),
  index("stops_machine").on(t.machineId, t.sliceStart, t.id),
]);

/**
 * Replaced by `operator_shifts` (migration 0023, November 2026); nothing reads or writes it. Kept, because the version before 0023 writes it, and there is no
 * release yet that says that no installation runs that one. A migration after the first release drops it.
 */
export const roster = sqliteTable(
  "roster",
  {
    machineId: integer("machine_id").notNull(),
    operatorId: integer("operator_id").notNull(),
    shiftStart: integer("shift_start").notNull(),
    revision: integer("revision").notNull(),
    shiftId: integer("shift_id").notNull(),
    shiftEnd: integer("shift_end").notNull(),
    uptimeMs: integer("uptime_ms").notNull(),
    downtimeMs: integer("downtime_ms").notNull(),
    units: integer("units").notNull(),
    skuId: text("sku_id"),
  },
  (t) => [primaryKey({ columns: [t.machineId, t.shiftStart, t.operatorId] })],
);

const shiftPartsColumns = {
  machineId: integer("machine_id").notNull(),
  startAt: integer("start_at").notNull(),
  /** `end_at` − `start_at`. */
  durationMs: integer("duration_ms").notNull(),
  /** `start_at` − `shift_start`. */
  intoShiftMs: integer("into_shift_ms").notNull(),
  /** `shift_end` − `start_at`. */
  shiftLeftMs: integer("shift_left_ms").notNull(),
  /** `start_at` − `hour_start`. */
  intoHourMs: integer("into_hour_ms").notNull(),
  revision: integer("revision").notNull(),
  companyId: integer("company_id").notNull(),
  shiftId: integer("shift_id").notNull(),
  /** Null: none was set. */
  skuId: text("sku_id"),
  /** The number of the work order (`work_orders.number`); null: none. */
  workOrderNumber: integer("work_order_number"),
  /** Null unless it is the last part of a running shift, like `open_bucket`. */
  asOf: integer("as_of"),
  openBucket: text("open_bucket", { enum: ["available", "noData", "programmed", "nonProgrammed", "other"] }),
  openIsAnnotated: flag("open_is_annotated").notNull(),
  availableMs: integer("available_ms").notNull(),
  noDataMs: integer("no_data_ms").notNull(),
  programmedMs: integer("programmed_ms").notNull(),
  nonProgrammedMs: integer("non_programmed_ms").notNull(),
  otherMs: integer("other_ms").notNull(),
  annotatedMs: integer("annotated_ms").notNull(),
  cycles: integer("cycles").notNull(),
  totalUnits: integer("total_units").notNull(),
  defectUnits: integer("defect_units").notNull(),
  /** Units of `total_units` whose time is not known: `ideal_ms` and `cycles_with_standard` do not contain them. */
  unitsWithoutTime: real("units_without_time").notNull().default(0),
  idealMs: real("ideal_ms").notNull(),
  cyclesWithStandard: integer("cycles_with_standard").notNull(),
  lostByDefectsMs: real("lost_by_defects_ms").notNull(),
  /** Standard time of one unit. Null: there is no standard. */
  unitStandardMs: real("unit_standard_ms"),
  /**
   * `[units, defects, scheduledMs]` of each 5 minutes from `hour_start` on, up to the last in which there is anything. Scheduled is
   * available and non-programmed time.
   */
  fiveMinutes: fiveMinutesColumn("five_minutes").notNull(),
  lineId: integer("line_id"),
  /** `day` − the UTC day of `shift_start`. */
  dayOffset: integer("day_offset"),
  /** `recorded_at` − `end_at`. */
  recordedAfterMs: integer("recorded_after_ms"),
  /** For the last part of a running shift: the end of its local hour, or of the shift if that is earlier. */
  endAt: computed("end_at", "start_at + duration_ms").notNull(),
  shiftStart: computed("shift_start", "start_at - into_shift_ms").notNull(),
  shiftEnd: computed("shift_end", "start_at + shift_left_ms").notNull(),
  /** The start of the part's local hour. It is the same for all parts of a machine in that hour. */
  hourStart: computed("hour_start", "start_at - into_hour_ms").notNull(),
  day: computed("day", "(start_at - into_shift_ms) / 86400000 + day_offset"),
  recordedAt: computed("recorded_at", "start_at + duration_ms + recorded_after_ms"),
};

/**
 * A record's time and counts, divided: one row per machine and part of a shift, [start, end) within one local hour of the company, one SKU and one
 * work order. The parts of a shift do not overlap and cover it from its start (or the commissioning) to now, and their sums are the record's. The
 * last part of a running shift is as of `as_of`, and has been in `open_bucket` since then: readers find it by its index and extend it, as
 * `extendPart` (oee/shift-parts.ts) does, while the shift lasts. A trigger deletes the parts of a deleted record. Written with `slimPart`
 * (db/slim-rows.ts); the table has no rowid (migration 0051).
 *
 * A shift that ended before parts were stored has a single part without SKU and order, with empty `five_minutes`.
 */
export const shiftParts = sqliteTable("shift_parts", shiftPartsColumns, (t) => [
  primaryKey({ columns: [t.machineId, t.startAt] }),
  index("shift_parts_company").on(t.companyId, t.startAt),
  index("shift_parts_open").on(t.companyId, t.machineId).where(sql`open_bucket is not null`),
]);

const operatorShiftsColumns = {
  machineId: integer("machine_id").notNull(),
  shiftStart: integer("shift_start").notNull(),
  operatorId: integer("operator_id").notNull(),
  revision: integer("revision").notNull(),
  companyId: integer("company_id").notNull(),
  shiftId: integer("shift_id").notNull(),
  shiftEnd: integer("shift_end").notNull(),
  uptimeMs: integer("uptime_ms").notNull(),
  downtimeMs: integer("downtime_ms").notNull(),
  units: integer("units").notNull(),
  /** The SKU of the operator's latest units; null without units. */
  skuId: text("sku_id"),
  lineId: integer("line_id"),
  /** `day` − the UTC day of `shift_start`. */
  dayOffset: integer("day_offset"),
  /** `recorded_at` − `shift_end`. */
  recordedAfterMs: integer("recorded_after_ms"),
  day: computed("day", "shift_start / 86400000 + day_offset"),
  recordedAt: computed("recorded_at", "shift_end + recorded_after_ms"),
};

/**
 * The rosters of shifts, with each operator's share: one row per machine, shift occurrence and operator. The times of a running shift are those of
 * the last flush.
 */
export const operatorShifts = sqliteTable("operator_shifts", operatorShiftsColumns, (t) => [
  primaryKey({ columns: [t.machineId, t.shiftStart, t.operatorId] }),
  index("operator_shifts_company").on(t.companyId, t.shiftStart),
  index("operator_shifts_operator").on(t.operatorId, t.shiftStart),
]);

/**
 * The number of rows of a report that start within a bucket of time, to find a page far back quickly. Counted for all companies (`all`, id 0), for
 * each company and for each machine. Triggers update the counts in the transaction that writes the rows; the view `report_buckets` has the widths of
 * the buckets of each scope. See db/report-counts.ts.
 */
export const reportCounts = sqliteTable(
  "report_counts",
  {
    report: text("report", { enum: ["shifts", "stops"] }).notNull(),
    scope: text("scope", { enum: ["all", "company", "machine"] }).notNull(),
    scopeId: integer("scope_id").notNull(),
    widthMs: integer("width_ms").notNull(),
    startAt: integer("start_at").notNull(),
    kept: integer("kept").notNull(),
    deleted: integer("deleted").notNull(),
  },
  (t) => [primaryKey({ columns: [t.report, t.scope, t.scopeId, t.widthMs, t.startAt] })],
);

/**
 * The machines of a company that recalculate much at present: one for each slot, of which there are few. A machine that stops without a word loses its slot
 * at `until`. The table has no rowid.
 */
export const recalculationSlots = sqliteTable(
  "recalculation_slots",
  {
    companyId: integer("company_id").notNull(),
    slot: integer("slot").notNull(),
    machineId: integer("machine_id").notNull(),
    until: integer("until").notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.slot] })],
);

// What reports said before: a row of one of the four tables above as it was, when its published columns change after its shift was closed, or when it is
// deleted then (machine/publish/replaced-rows.ts). It was in force from `recorded_at` (null: since before anybody can ask) to `replaced_at`. The tables
// have no rowid. Their rows are deleted with those of their shifts.

const replacedAt = integer("replaced_at").notNull();

export const shiftRecordsHistory = sqliteTable(
  "shift_records_history",
  { ...shiftRecordsColumns, id: integer("id").notNull(), replacedAt },
  (t) => [
    primaryKey({ columns: [t.id, t.replacedAt] }),
    index("shift_records_history_start").on(t.startAt, t.id),
    index("shift_records_history_company").on(t.companyId, t.startAt, t.id),
    index("shift_records_history_machine").on(t.machineId, t.startAt),
  ],
);

export const shiftPartsHistory = sqliteTable("shift_parts_history", { ...shiftPartsColumns, replacedAt }, (t) => [
  primaryKey({ columns: [t.machineId, t.startAt, t.replacedAt] }),
  index("shift_parts_history_company").on(t.companyId, t.startAt),
]);

export const stopsHistory = sqliteTable("stops_history", { ...stopsColumns, replacedAt }, (t) => [
  primaryKey({ columns: [t.id, t.shiftStart, t.replacedAt] }),
  index("stops_history_start").on(t.sliceStart, t.id, t.shiftStart),
  index("stops_history_company").on(t.companyId, t.sliceStart, t.id),
  index("stops_history_machine").on(t.machineId, t.sliceStart, t.id),
]);

export const operatorShiftsHistory = sqliteTable("operator_shifts_history", { ...operatorShiftsColumns, replacedAt }, (t) => [
  primaryKey({ columns: [t.machineId, t.shiftStart, t.operatorId, t.replacedAt] }),
  index("operator_shifts_history_company").on(t.companyId, t.shiftStart),
]);

/** When the closed shifts of a company last changed, by the clock of the database: each change is later than the one before. */
export const reportTimes = sqliteTable("report_times", {
  companyId: integer("company_id").primaryKey(),
  /** `recorded_at` of the last change. */
  recordedAt: integer("recorded_at").notNull(),
  /** Before this, nobody knows what reports said: rows were written by a version that did not keep what they replaced. */
  knownFrom: integer("known_from").notNull().default(0),
});

/** The changes of closed shifts: when, by whom, why, and what was different before. The table has no rowid. */
export const shiftRevisions = sqliteTable(
  "shift_revisions",
  {
    recordId: integer("record_id").notNull(),
    /** From 1 on, for each record. */
    n: integer("n").notNull(),
    revision: integer("revision").notNull(),
    companyId: integer("company_id").notNull(),
    machineId: integer("machine_id").notNull(),
    shiftStart: integer("shift_start").notNull(),
    shiftEnd: integer("shift_end").notNull(),
    /** When the database took it. */
    recordedAt: integer("recorded_at").notNull(),
    reasons: json<RevisionReason[]>("reasons").notNull(),
    /** Null: no person. */
    userId: integer("user_id"),
    apiTokenId: integer("api_token_id"),
    requestId: text("request_id"),
    body: json<RevisionBody>("body").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.recordId, t.n] }),
    index("shift_revisions_company").on(t.companyId, t.shiftStart, t.recordId, t.n),
  ],
);
