import { recordId } from "../../core/record-id.ts";
import type { AuditRow } from "../../db/audit-row.ts";
import type { NewEvent } from "../../events/event.ts";
import type { OperatorShare, StopSlice } from "../../objects/machine-protocol.ts";
import { append } from "../../oee/extremes.ts";
import type { ProductionInputs } from "../../oee/metrics.ts";
import { defectsOf, type OrderRun, type OutsideHour } from "../../oee/production.ts";
import { type SettingsHistory, settingsAt } from "../../oee/settings.ts";
import { extendSums, type Segment, type ShiftSums } from "../../oee/shift-ledger.ts";
import { extendPart, type ShiftPart } from "../../oee/shift-parts.ts";
import type { ShiftRecord } from "../../oee/shift-record.ts";
import { stampOf } from "../../oee/shift-stamp.ts";
import { MAX_SHIFT_MS, type ShiftCalendar, type ShiftOccurrence } from "../../oee/shifts.ts";
import { clip, HOUR_MS, type Interval } from "../../oee/time.ts";
import type { Piece, StopFacts } from "../../oee/timeline.ts";
import { roundUnits } from "../../oee/units.ts";
import { flagsOf } from "../edits/marks.ts";
import type { StoredEdit } from "../edits/stored-edits.ts";
import { dayAndReasonOf, type HeldSums } from "../inputs/held-counts.ts";
import { startOf, timeOf } from "../inputs/ledger-position.ts";
import { markUrgent } from "../ledger/progress.ts";
import { recordSeq } from "../ledger/sequences.ts";
import type { Why } from "../ledger/why.ts";
import type { Identity } from "../settings/configuration.ts";
import type { MachineStorage, StoredStop } from "../storage/machine-storage.ts";
import { forgottenTo } from "../storage/retention.ts";
import type { StoredCorrection } from "../storage/stored-corrections.ts";
import type { StoredWithdrawal } from "../storage/stored-withdrawals.ts";
import { enqueue, lastFlush, mayBeSent } from "./outbox.ts";
import type { ProjectionRow } from "./projection-rows.ts";
import type {
  ConditionRow,
  CorrectionRow,
  HeldRow,
  OperatorShiftRow,
  OrphanRow,
  OutsideHourRow,
  PartRow,
  RecordRow,
  RunRow,
  StopRow,
  WithdrawalRow,
} from "./published-rows.ts";

// The rows that D1 should contain for this machine. Every change to them is put into the outbox, which sends it.

/** The machine whose projection is changed, and the time of the change. */
export interface ProjectionContext {
  storage: MachineStorage;
  identity: Identity;
  now: number;
  /** Whether a person makes the change. Then it is published, no matter how old its subject is. */
  isEdit?: boolean;
  /** Why closed shifts change. Undefined: because of late events. */
  why?: Why;
  /** Whether somebody reads the rows now. Then times that have only grown are published, too, where readers do not extend them. */
  isForReader?: boolean;
}

/** The same for the rows of shifts, which keep what held when their shift began. */
export interface ShiftContext extends ProjectionContext {
  history: SettingsHistory;
  /** The person's edit that makes the change: it takes the place of earlier ones that do not count any more. Others are orphans. */
  edit?: { tookPlaceOf(edit: StoredEdit): void };
}

/** A record that was put, and the record before it; null: there was none. */
export interface RecordChange {
  old: RecordRow | null;
  row: RecordRow & { id: number };
  /** When the shift's first record was made. */
  createdAt: number;
}

/**
 * Puts a shift's record. A running shift whose open bucket merely continues is no change: readers extend it themselves.
 * @returns null when nothing changed
 */
export function putRecord(
  context: ShiftContext,
  occurrence: ShiftOccurrence,
  { segments, sums, made, corrected }: ShiftRecord,
): RecordChange | null {
  const { machineId, companyId } = context.identity;
  const row: RecordChange["row"] = {
    id: recordId(machineId, recordSeq(context.storage, occurrence.start)),
    companyId,
    machineId,
    shiftId: occurrence.shiftId,
    startAt: occurrence.start,
    endAt: occurrence.end,
    ...sums,
    ...made,
    ...keptFigures(context.storage, occurrence),
    noDataSpans: noDataSpansOf(segments, sums),
    ...stampOf(context.history, occurrence),
    ...rateOf(context.history, occurrence),
    // Not named where there is none, so that rows made before corrections existed are the same.
    ...(corrected && { correctedTotal: corrected.total, correctedDefects: corrected.defects }),
  };
  const key = String(occurrence.start);
  const change = put<RecordRow | null>(context, "record", key, occurrence.end, row, {
    isUnchanged: (old) => isContinuation(old, row),
  });
  if (!change) return null;
  if (change.old?.openBucket !== row.openBucket) markUrgent(context.storage);
  return { ...change, row };
}

/**
 * Puts the parts of a shift, and deletes those that it no longer has. As with records, an open part that merely continues is no change. Returns whether
 * any changed.
 */
export function putParts(context: ShiftContext, occurrence: ShiftOccurrence, parts: readonly ShiftPart[]): boolean {
  const { storage, identity } = context;
  const { machineId, companyId } = identity;
  const { shiftId, start: shiftStart, end: shiftEnd } = occurrence;
  const stamp = stampOf(context.history, occurrence);
  const rows = parts.map(({ startAt, endAt, ...part }): PartRow => {
    return { machineId, startAt, endAt, companyId, shiftId, shiftStart, shiftEnd, ...part, ...stamp };
  });
  const stored = storage.projection.between("part", startOf(shiftStart), startOf(shiftStart + MAX_SHIFT_MS)).filter(isWanted);
  const known = stored.filter(({ key }) => key < startOf(shiftEnd));
  const later = stored.slice(known.length);
  const last = known.at(-1);
  const changed = rows.slice(0, last && continuedFrom(JSON.parse(last.body) as PartRow, rows));
  const wasPut = changed.filter((row) => put<PartRow | null>(context, "part", startOf(row.startAt), shiftEnd, row));
  const kept = new Set(rows.map(({ startAt }) => startOf(startAt)));
  // The shift may have been longer before.
  const left = later.filter(({ body }) => (JSON.parse(body) as PartRow).shiftStart === shiftStart);
  const gone = [...known.filter(({ key }) => !kept.has(key)), ...left];
  for (const row of gone) drop(context, row, null);
  return wasPut.length + gone.length > 0;
}

/** The index of the first part that is nothing but the old last one with its open bucket extended; without one, the number of parts. */
function continuedFrom(old: PartRow, rows: readonly PartRow[]): number {
  const asOf = rows.at(-1)?.asOf ?? null;
  const first = rows.findIndex(({ startAt }) => startAt === old.startAt);
  if (first < 0 || asOf === null) return rows.length;
  const isContinued = JSON.stringify(extendPart(old, asOf, old.shiftEnd)) === JSON.stringify(rows.slice(first));
  return isContinued ? first : rows.length;
}

/** Whether the machine has a shift that begins at an instant: it is in the calendar, and a part of it in service. */
function hasShiftAt(calendar: ShiftCalendar, history: SettingsHistory, start: number): boolean {
  const occurrence = calendar.at(start);
  const { decommissionedAt } = settingsAt(history, Number.MAX_SAFE_INTEGER);
  return (
    occurrence?.start === start &&
    clip(occurrence, history[0].commissionedAt, decommissionedAt ?? Number.POSITIVE_INFINITY) !== null
  );
}

/**
 * Deletes the rows of shifts that the machine no longer has.
 * @param window only shifts that start in it
 */
export function deleteShiftsExcept(
  context: ProjectionContext,
  calendar: ShiftCalendar,
  history: SettingsHistory,
  window: Interval = { start: 0, end: Number.MAX_SAFE_INTEGER },
): void {
  const { storage } = context;
  const [from, to] = [startOf(window.start), startOf(window.end)];
  const isGone = (start: number) => !hasShiftAt(calendar, history, start);
  const isIn = (start: number) => window.start <= start && start < window.end;
  // Their keys are not padded.
  const records = storage.projection.startingWith("record", "").filter(({ key }) => isIn(Number(key)));
  for (const row of records) if (isGone(Number(row.key))) drop(context, row, null);
  for (const row of storage.projection.between("roster", from, to)) if (isGone(timeOf(row.key))) drop(context, row, []);
  for (const row of storage.projection.between("part", from, to)) {
    const part = JSON.parse(row.body) as PartRow | null;
    if (part && (isGone(part.shiftStart) || calendar.at(part.startAt)?.start !== part.shiftStart)) drop(context, row, null);
  }
}

/**
 * Deletes the rows of former shifts that overlap a window: the machine no longer has them, because somebody changed the shifts of the past. Runs after
 * the rows of its present shifts were put. A former shift is deleted completely, even where it extends beyond the window: later steps find it by its
 * record alone, which is gone then.
 */
export function deleteFormerShifts(context: ShiftContext, calendar: ShiftCalendar, { start, end }: Interval): void {
  const { storage, identity, history, now } = context;
  const records = storage.projection
    .between("record", String(start - MAX_SHIFT_MS), String(end))
    .filter((row) => isWanted(row) && row.until > start && !hasShiftAt(calendar, history, Number(row.key)));
  for (const record of records) {
    const shiftStart = Number(record.key);
    drop(context, record, null);
    const roster = storage.projection.get("roster", startOf(shiftStart));
    if (roster) drop(context, roster, []);
    for (const row of storage.projection.between("part", startOf(shiftStart), startOf(record.until)).filter(isWanted)) {
      if ((JSON.parse(row.body) as PartRow).shiftStart === shiftStart) drop(context, row, null);
    }
    for (const { seq } of storage.stops({ start: shiftStart, end: record.until })) {
      const slice = storage.projection.get("stop", stopKey(recordId(identity.machineId, seq), shiftStart));
      if (slice) deleteSlice(context, slice, now);
    }
  }
}

/** Deletes the slices of stops in the time that a shift no longer has at its end. Returns the changes. */
export function deleteSlicesAfter(context: ShiftContext, { start, end }: Interval, formerEnd: number): StopChange[] {
  const { storage, identity, now } = context;
  const lost = storage.stops({ start: end, end: formerEnd }).filter((stop) => stop.start >= end);
  return lost.flatMap(({ seq }) => {
    const slice = storage.projection.get("stop", stopKey(recordId(identity.machineId, seq), start));
    return slice ? deleteSlice(context, slice, now) : [];
  });
}

/** Saves an empty body for a row, so that D1 deletes it. A row that D1 never had is just removed. */
function drop(context: ProjectionContext, row: ProjectionRow, nothing: null | []): void {
  if (mayBeSent(context.storage, row)) put<null | []>(context, row.kind, row.key, row.until, nothing);
  else context.storage.deleteProjectionRow(row);
}

function isWanted({ body }: ProjectionRow): boolean {
  return body !== "null";
}

/** The spans without data. An open one has no end, and it has no segment yet if it begins right now. */
function noDataSpansOf(segments: readonly Segment[], { asOf, openBucket }: ShiftSums): RecordRow["noDataSpans"] {
  const silent = segments.filter((segment) => segment.bucket === "noData");
  if (openBucket !== "noData") return silent.map(({ start, end }) => [start, end]);
  const ended = silent.filter((segment) => segment.end < asOf);
  const open = silent.find((segment) => segment.end === asOf);
  return [...ended.map(({ start, end }): [number, number] => [start, end]), [open?.start ?? asOf, null]];
}

/** The hourly rate when a shift began; empty if the settings do not know it. */
function rateOf(history: SettingsHistory, { start }: ShiftOccurrence): Pick<RecordRow, "hourlyRate"> {
  const { lineId, hourlyRate = null } = settingsAt(history, start);
  return lineId === undefined ? {} : { hourlyRate };
}

type KeptFigures = Pick<ProductionInputs, "recentUnits" | "recentMs">;

/** The figures of a closed shift that cannot be computed again once its events are forgotten; empty while they can. */
export function keptFigures(storage: MachineStorage, { start, end }: ShiftOccurrence): KeptFigures | Record<string, never> {
  if (end > forgottenTo(storage)) return {};
  const known = storage.projection.get("record", String(start));
  const old = known && (JSON.parse(known.body) as RecordRow | null);
  if (!old || old.openBucket !== null) return {};
  const { recentUnits, recentMs } = old;
  return { recentUnits, recentMs };
}

/** A stop's slice in a shift that was put, and the one before it; null: there was none. */
export interface StopChange {
  old: StopRow | null;
  row: StopRow;
}

/** Puts a stop's slice for each of these shifts, all of which it overlaps. Returns those that changed. */
export function putStop(
  context: ShiftContext,
  stop: StoredStop,
  piece: Piece,
  occurrences: readonly ShiftOccurrence[],
): StopChange[] {
  if (!piece.stop) return [];
  return stopRows(context, stop, { end: piece.end, facts: piece.stop }, occurrences).flatMap((row) => {
    const change = put<StopRow>(context, "stop", stopKey(row.id, row.shiftStart), row.shiftEnd, row, {
      // That the stop ended in a later shift does not change its slice in this one.
      isSameToReaders: (old) => old.sliceEnd !== null && JSON.stringify({ ...old, endAt: row.endAt }) === JSON.stringify(row),
    });
    return change ? [{ old: change.old, row }] : [];
  });
}

/** The slices that a recorded stop which has not begun will have in these shifts. No report has them. */
export function slicesAhead(context: ShiftContext, stop: StoredStop, occurrences: readonly ShiftOccurrence[]): StopSlice[] {
  const { isProgrammed, isIncludedInAvailability } = flagsOf(stop.mark);
  const facts = {
    ...{ isManual: true, breakName: null },
    ...{ isProgrammed: isProgrammed ?? false, isIncludedInAvailability: isIncludedInAvailability ?? true },
  };
  const rows = stopRows(context, stop, { end: stop.end ?? stop.start, facts }, occurrences);
  return rows.map((row) => ({ ...(row as StopSlice), createdAt: context.now, updatedAt: context.now }));
}

function stopRows(
  context: ShiftContext,
  stop: StoredStop,
  piece: { end: number; facts: Omit<StopFacts, "isAnnotated"> },
  occurrences: readonly ShiftOccurrence[],
): StopRow[] {
  const { machineId, companyId } = context.identity;
  const { seq, version, mark } = stop;
  const id = recordId(machineId, seq);
  const classification = mark?.classification ?? null;
  return occurrences.map((occurrence) => ({
    id,
    shiftStart: occurrence.start,
    companyId,
    machineId,
    shiftId: occurrence.shiftId,
    shiftEnd: occurrence.end,
    startAt: stop.start,
    endAt: stop.end,
    sliceStart: Math.max(stop.start, occurrence.start),
    sliceEnd: piece.end >= occurrence.end ? occurrence.end : stop.end,
    version,
    name: mark?.name ?? null,
    breakName: piece.facts.breakName,
    isManual: piece.facts.isManual,
    isProgrammed: piece.facts.isProgrammed,
    isIncludedInStops: flagsOf(mark).isIncludedInStops ?? true,
    isIncludedInAvailability: piece.facts.isIncludedInAvailability,
    classificationId: classification && id,
    description: classification?.description ?? null,
    generalCauseId: classification?.generalCauseId ?? null,
    specificCauseId: classification?.specificCauseId ?? null,
    componentId: classification?.componentId ?? null,
    classifiedAt: classification?.classifiedAt ?? null,
    reclassifiedAt: classification?.reclassifiedAt ?? null,
    deletedAt: null,
    ...stampOf(context.history, occurrence),
  }));
}

/** Marks a stop's slices as deleted, except those of some shifts. A slice that D1 never had is dropped. Returns the others. */
export function deleteStopRows(context: ProjectionContext, seq: number, except: readonly ShiftOccurrence[] = []): StopChange[] {
  const changes: StopChange[] = [];
  const { storage, identity, now } = context;
  const id = recordId(identity.machineId, seq);
  const kept = new Set(except.map((occurrence) => stopKey(id, occurrence.start)));
  for (const slice of storage.projection.startingWith("stop", `${id}:`)) {
    if (!kept.has(slice.key)) append(changes, deleteSlice(context, slice, now));
  }
  return changes;
}

/** Marks a slice of a stop as deleted. One that D1 never had is dropped. Returns the change, if it is one. */
function deleteSlice(context: ProjectionContext, slice: ProjectionRow, now: number): StopChange[] {
  const row = JSON.parse(slice.body) as StopRow;
  if (!mayBeSent(context.storage, slice)) context.storage.deleteProjectionRow(slice);
  else if (row.deletedAt === null) {
    const deleted = { ...row, deletedAt: now };
    put<StopRow>(context, "stop", slice.key, slice.until, deleted);
    return [{ old: row, row: deleted }];
  }
  return [];
}

/** Puts an audit entry, so that D1 gets it together with the rows that it describes. */
export function putAudit(context: ProjectionContext, row: AuditRow): void {
  put(context, "audit", row.id, 0, row);
}

/**
 * Puts an event, which is sent once and then forgotten.
 * @param seq its number among the machine's events
 */
export function putEvent(context: ProjectionContext, seq: number, row: NewEvent): void {
  // Sent after the rows that it describes.
  put(context, "event", startOf(seq), Number.MAX_SAFE_INTEGER, row);
}

/** Puts a condition of an alert. It is sent before all other rows. */
export function putCondition(context: ProjectionContext, row: ConditionRow): void {
  put<ConditionRow>(context, "condition", row.id, 0, row);
}

/**
 * Puts what is held of an entry. It is sent before all other rows.
 * @param entry the number of the entry
 * @param sums null: nothing is
 */
export function putHeld(context: ProjectionContext, entry: number, sums: HeldSums | null): void {
  const { machineId, companyId } = context.identity;
  const id = recordId(machineId, entry);
  const row = sums && { id, machineId, companyId, ...dayAndReasonOf(entry), ...sums };
  put<HeldRow | null>(context, "held", String(id), 0, row);
}

/**
 * Puts a correction, with what became of it.
 * @param occurrence its shift; null: the machine has none at its instant
 * @returns its row, without when it was last changed
 */
export function putCorrection(
  context: ShiftContext,
  { seq, at, applied, undone, ...entered }: StoredCorrection,
  occurrence: ShiftOccurrence | null,
): CorrectionRow & { createdAt: number } {
  const { machineId, companyId } = context.identity;
  const { total, defects, rework, reasonId, comment, userId, apiTokenId } = entered;
  const { skuId, workOrderId } = applied ?? entered;
  const { lineId = null, day = null } = occurrence ? stampOf(context.history, occurrence) : {};
  const id = recordId(machineId, seq);
  const row: CorrectionRow = {
    ...{ id, companyId, machineId, at, shiftStart: occurrence?.start ?? null, shiftId: occurrence?.shiftId ?? null },
    ...{ skuId, workOrderId, total, defects: roundUnits(defects - rework), rework, reasonId, comment },
    ...{ appliedTotal: applied?.total ?? 0, appliedDefects: applied?.defects ?? 0, userId, apiTokenId },
    ...{ undoneAt: undone?.at ?? null, undoneBy: undone?.userId ?? null, lineId, day },
  };
  put<CorrectionRow>(context, "correction", String(id), occurrence?.end ?? at, row);
  return { ...row, createdAt: context.storage.projection.get("correction", String(id))?.createdAt ?? context.now };
}

/**
 * Puts a withdrawal of events.
 * @returns its row, without when it was last changed
 */
export function putWithdrawal(
  context: ProjectionContext,
  { seq, from, to, reason, events, userId, apiTokenId, restored, ...filter }: StoredWithdrawal,
): WithdrawalRow & { createdAt: number } {
  const { machineId, companyId } = context.identity;
  const id = recordId(machineId, seq);
  const row: WithdrawalRow = {
    ...{ id, companyId, machineId, fromAt: from, toAt: to, filter, reason, events, userId, apiTokenId },
    ...{ restoredAt: restored?.at ?? null, restoredBy: restored?.userId ?? null },
  };
  put<WithdrawalRow>(context, "withdrawal", String(id), to, row);
  return { ...row, createdAt: context.storage.projection.get("withdrawal", String(id))?.createdAt ?? context.now };
}

/**
 * Puts an edit of which nothing counts any more. It is sent before all other rows.
 * @param edit null: something counts again, or nobody is to see it any more
 */
export function putOrphan(context: ProjectionContext, n: number, edit: StoredEdit | null): void {
  const { machineId, companyId } = context.identity;
  const id = recordId(machineId, n);
  const row = edit && {
    ...{ id, machineId, companyId, stopId: recordId(machineId, edit.seq), startAt: edit.start, endAt: edit.end },
    ...{ action: edit.kind, reason: edit.orphan ?? "no_stop", saidAt: edit.at, userId: edit.by?.userId ?? null },
    said: edit.boundary ? null : JSON.stringify(edit.said),
    boundaryAt: edit.boundary?.at ?? null,
  };
  put<OrphanRow | null>(context, "orphan", String(id), 0, row);
}

/** What is held of an entry, as it is in D1 or will be with the next flush; null: nothing. */
export function heldSums({ storage, identity }: ProjectionContext, entry: number): HeldSums | null {
  const known = storage.projection.get("held", String(recordId(identity.machineId, entry)));
  const row = known && (JSON.parse(known.body) as HeldRow | null);
  return row && { count: row.count, units: row.units, firstAt: row.firstAt, lastAt: row.lastAt };
}

/** A stop's slices by shift, as they are in D1 or will be with the next flush; none when there is no such stop. */
export function stopSlices({ storage, identity }: ProjectionContext, seq: number): StopSlice[] {
  return storage.projection
    .startingWith("stop", `${recordId(identity.machineId, seq)}:`)
    .map(({ body, createdAt, updatedAt }) => ({ ...(JSON.parse(body) as StopSlice), createdAt, updatedAt }))
    .filter((slice) => slice.deletedAt === null);
}

/**
 * Puts the operators of a shift as one row. While it runs, uptime and downtime alone are no change: readers query the object for them. Returns whether
 * they changed.
 * @param isRunning whether the shift still runs
 */
export function putOperators(
  context: ShiftContext,
  occurrence: ShiftOccurrence,
  shares: readonly OperatorShare[],
  isRunning: boolean,
): boolean {
  const { machineId, companyId } = context.identity;
  const { isForReader = false } = context;
  const { start: shiftStart, end: shiftEnd, shiftId } = occurrence;
  const key = startOf(shiftStart);
  if (shares.length === 0 && !context.storage.projection.get("roster", key)) return false;
  const about = { machineId, companyId, shiftStart, shiftEnd, shiftId };
  const stamp = stampOf(context.history, occurrence);
  const rows = shares.map((share): OperatorShiftRow => ({ ...about, ...share, ...stamp }));
  const withoutTimes = (list: OperatorShiftRow[]) => JSON.stringify(list.map((row) => ({ ...row, uptimeMs: 0, downtimeMs: 0 })));
  const isUnchanged = (old: OperatorShiftRow[]) => isRunning && !isForReader && withoutTimes(old) === withoutTimes(rows);
  return put<OperatorShiftRow[]>(context, "roster", key, shiftEnd, rows, { isUnchanged }) !== null;
}

/**
 * Puts the production of each run of a work order; an open run has no end yet. A run that late events removed becomes an empty one.
 * Good units beyond a run's total settle the deficit of the run right before it.
 * @param runs all that end after `from` and begin before `to`, and the ones right before and right after them, in order
 */
export function putRuns(
  context: ProjectionContext,
  runs: readonly (OrderRun & { end?: number })[],
  from: number,
  to = Number.POSITIVE_INFINITY,
): void {
  const { storage, identity } = context;
  const { machineId } = identity;
  const starts = new Set(runs.filter(({ workOrderId }) => workOrderId !== null).map(({ start }) => String(start)));
  for (const { key, until, body } of storage.projection.runsSince(from)) {
    if (starts.has(key) || Number(key) >= to) continue;
    const row = JSON.parse(body) as RunRow;
    put<RunRow>(context, "run", key, until, { ...row, correct: 0, defects: 0, correctOutsideShifts: 0, endAt: row.startAt });
  }
  const closedTo = storage.floor().at;
  // A run that was under way when the books were closed can be ended by an event of the closing's instant. Its row shows whether it was.
  const wasUnderWay = (start: number, end: number) =>
    end === closedTo && (storage.projection.get("run", String(start))?.until ?? 0) >= closedTo;
  const corrected = correctedParts(storage, runs[0]?.start ?? from);
  for (const [i, { start, workOrderId, made, outsideShifts, end = null }] of runs.entries()) {
    if (workOrderId === null || start >= to || (end !== null && end <= closedTo && !wasUnderWay(start, end))) continue;
    const own = corrected.filter(([partStart]) => start <= partStart && (end === null || partStart < end));
    const [correctedTotal, correctedDefects] = [
      own.reduce((sum, one) => sum + one[1], 0),
      own.reduce((sum, one) => sum + one[2], 0),
    ];
    const next = runs[i + 1];
    const [defects = 0] = defectsOf(next && next.start === end ? [made, next.made] : [made]);
    const [defectsOutside = 0] = outsideShifts ? defectsOf([outsideShifts]) : [];
    const row: RunRow = {
      machineId,
      startAt: start,
      workOrderId,
      skuId: made.skuId ?? "",
      correct: roundUnits(made.total - defects + correctedTotal - correctedDefects),
      defects: roundUnits(defects + correctedDefects),
      // Not named where there is none, so that rows made before it existed are the same.
      ...(outsideShifts && { correctOutsideShifts: roundUnits(outsideShifts.total - defectsOutside) }),
      endAt: end,
    };
    put<RunRow>(context, "run", String(start), end ?? Number.MAX_SAFE_INTEGER, row);
  }
}

/** What corrections changed in the parts of shifts that start after an instant, or contain it. */
function correctedParts(storage: MachineStorage, from: number) {
  // Those that concern a part are of an instant in its shift.
  const all = storage.corrections.counting({ start: from - MAX_SHIFT_MS, end: Number.MAX_SAFE_INTEGER });
  return all.flatMap(({ applied }) => applied?.parts ?? []);
}

/**
 * Puts what was made outside shifts in each local hour, and deletes the hours in which nothing was.
 * @param hours all that end after the start of the window and begin before its end, in order
 */
export function putOutsideHours(context: ShiftContext, hours: readonly OutsideHour[], { start, end }: Interval): void {
  const { storage, identity } = context;
  const { machineId, companyId } = identity;
  const made = hours.filter(({ units }) => units !== 0);
  const kept = new Set(made.map((hour) => startOf(hour.start)));
  const known = storage.projection.between("outside", startOf(start - HOUR_MS), startOf(end)).filter(isWanted);
  for (const row of known) if (row.until > start && !kept.has(row.key)) drop(context, row, null);
  for (const hour of made) {
    const { lineId } = settingsAt(context.history, hour.start);
    const row = {
      machineId,
      startAt: hour.start,
      companyId,
      units: hour.units,
      ...(lineId !== undefined && { lineId: lineId ?? 0 }),
    };
    put<OutsideHourRow | null>(context, "outside", startOf(hour.start), hour.end, row);
  }
}

/** Whether a newer record of a running shift is the older one with its open bucket extended. */
function isContinuation(old: RecordRow | null, row: RecordRow): boolean {
  if (!old || old.openBucket === null || old.openBucket === undefined) return false;
  return JSON.stringify(extendSums(old as RecordRow & Parameters<typeof extendSums>[0], row.asOf)) === JSON.stringify(row);
}

interface Compared<Row> {
  /** Whether the row before is as good as the new one. */
  isUnchanged?: (old: Row) => boolean;
  /** Whether they differ only in what no reader sees: then it was not updated. */
  isSameToReaders?: (old: Row) => boolean;
}

/** Puts a row. Returns null if nothing changed, otherwise the row before it (`old`; null: there was none) and when its first one was made. */
export function put<Row>(
  { storage, now }: ProjectionContext,
  kind: ProjectionRow["kind"],
  key: string,
  until: number,
  row: Row,
  { isUnchanged = () => false, isSameToReaders = () => false }: Compared<Row> = {},
): { old: Row | null; createdAt: number } | null {
  const old = storage.projection.get(kind, key);
  const body = JSON.stringify(row);
  const before = old && old.body !== body ? (JSON.parse(old.body) as Row) : null;
  if (old && (old.body === body || isUnchanged(before as Row))) {
    if (old.until !== until) storage.projection.save({ ...old, until });
    return null;
  }
  const coveredUntil = old?.until ?? until;
  // Only a defect gets here: whatever changes the past asks first (ledger/books-door.ts).
  // A run that ends at the closing's instant may change: an event of that instant ends it.
  const closedTo = storage.floor().at - (kind === "run" ? 1 : 0);
  if (coveredUntil > 0 && coveredUntil <= closedTo) throw new Error(`The books are closed: ${kind} ${key} must not change.`);
  const { createdAt = now, version = 0, madeAfter = lastFlush(storage).revision } = old ?? {};
  const updatedAt = before && old && isSameToReaders(before) ? old.updatedAt : now;
  const changed = { kind, key, until, body, createdAt, updatedAt, version: version + 1, madeAfter };
  storage.projection.save(changed);
  enqueue(storage, changed);
  return { old: before, createdAt };
}

function stopKey(id: number, shiftStart: number): string {
  return `${id}:${shiftStart}`;
}
