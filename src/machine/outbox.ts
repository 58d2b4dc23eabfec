import type { audit } from "../db/schema.ts";
import type { ProductionInputs } from "../oee/metrics.ts";
import { defectsOf, type OrderRun } from "../oee/production.ts";
import { extendSums, type Segment, type ShiftSums } from "../oee/shift-ledger.ts";
import type { ShiftRecord } from "../oee/shift-record.ts";
import type { ShiftCalendar, ShiftOccurrence } from "../oee/shifts.ts";
import type { Piece } from "../oee/timeline.ts";
import { roundUnits } from "../oee/units.ts";
import type { Identity } from "./configuration.ts";
import { recordId } from "./record-id.ts";
import type { ShiftOperators } from "./roster.ts";
import type { RecordRow, RosterRow, RunRow, StopRow, StopSlice } from "./rows.ts";
import type { MachineStorage, OutboxRow, StoredStop } from "./storage.ts";

/** Where rows for D1 are put, for whom, and when. */
export interface OutboxContext {
  storage: MachineStorage;
  identity: Identity;
  now: number;
}

/** Puts a shift's record, unless D1's tells the same: a running shift whose open bucket just went on is nothing new. */
export function putRecord(context: OutboxContext, occurrence: ShiftOccurrence, { segments, sums, made }: ShiftRecord): void {
  const { machineId, companyId } = context.identity;
  const row: RecordRow = {
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
  };
  put<RecordRow | null>(context, "record", String(occurrence.start), occurrence.end, row, (old) => isContinuation(old, row));
}

/** Takes back the records of shifts that a machine does not have any more, and the slices of stops in them. */
export function deleteRecordsExcept(context: OutboxContext, calendar: ShiftCalendar): void {
  const { storage } = context;
  for (const record of storage.outboxRows("record", "")) {
    if (calendar.at(Number(record.key))?.start === Number(record.key)) continue;
    if (record.sent === 0) storage.deleteOutboxRow(record);
    else put<RecordRow | null>(context, "record", record.key, record.until, null);
  }
}

/** Times without data; what goes on has no end, and when it has just begun no segment either. */
function noDataSpansOf(segments: readonly Segment[], { asOf, openBucket }: ShiftSums): RecordRow["noDataSpans"] {
  const silent = segments.filter((segment) => segment.bucket === "noData");
  if (openBucket !== "noData") return silent.map(({ start, end }) => [start, end]);
  const ended = silent.filter((segment) => segment.end < asOf);
  const open = silent.find((segment) => segment.end === asOf);
  return [...ended.map(({ start, end }): [number, number] => [start, end]), [open?.start ?? asOf, null]];
}

type KeptFigures = Pick<ProductionInputs, "recentUnits" | "recentMs">;

/** What a closed shift's record keeps once the events behind it are forgotten. */
export function keptFigures(storage: MachineStorage, { start, end }: ShiftOccurrence): KeptFigures | Record<string, never> {
  if (end > storage.progress().forgottenTo) return {};
  const known = storage.outboxRow("record", String(start));
  const old = known && (JSON.parse(known.body) as RecordRow | null);
  if (!old || old.openBucket !== null) return {};
  const { recentUnits, recentMs } = old;
  return { recentUnits, recentMs };
}

/** Puts a stop's slice for each of these shifts, which it touches. */
export function putStop(context: OutboxContext, stop: StoredStop, piece: Piece, occurrences: readonly ShiftOccurrence[]): void {
  if (!piece.stop) return;
  const { machineId, companyId } = context.identity;
  const { seq, version, mark } = stop;
  const id = recordId(machineId, seq);
  const classification = mark?.classification ?? null;
  for (const occurrence of occurrences) {
    const row: StopRow = {
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
      breakName: piece.stop.breakName,
      isManual: piece.stop.isManual,
      isProgrammed: piece.stop.isProgrammed,
      isIncludedInStops: mark?.isIncludedInStops ?? true,
      isIncludedInAvailability: piece.stop.isIncludedInAvailability,
      classificationId: classification && id,
      description: classification?.description ?? null,
      generalCauseId: classification?.generalCauseId ?? null,
      specificCauseId: classification?.specificCauseId ?? null,
      componentId: classification?.componentId ?? null,
      classifiedAt: classification?.classifiedAt ?? null,
      reclassifiedAt: classification?.reclassifiedAt ?? null,
      deletedAt: null,
    };
    put<StopRow>(context, "stop", stopKey(id, occurrence.start), occurrence.end, row);
  }
}

/** Marks a stop's slices as deleted, except those of some shifts; one that D1 never had is forgotten. */
export function deleteStopRows(context: OutboxContext, seq: number, except: readonly ShiftOccurrence[] = []): void {
  const { storage, identity, now } = context;
  const id = recordId(identity.machineId, seq);
  const kept = new Set(except.map((occurrence) => stopKey(id, occurrence.start)));
  for (const slice of storage.outboxRows("stop", `${id}:`)) {
    if (kept.has(slice.key)) continue;
    const row = JSON.parse(slice.body) as StopRow;
    if (slice.sent === 0) storage.deleteOutboxRow(slice);
    else if (row.deletedAt === null) put<StopRow>(context, "stop", slice.key, slice.until, { ...row, deletedAt: now });
  }
}

export type AuditRow = typeof audit.$inferInsert;

/** Puts what a person did, for the audit: written with the rows that it changed. */
export function putAudit(context: OutboxContext, row: AuditRow): void {
  put(context, "audit", row.id, 0, row);
}

/** A stop's slices as D1 has them or is about to, by shift; none when there is no such stop. */
export function stopSlices({ storage, identity }: OutboxContext, seq: number): StopSlice[] {
  return storage
    .outboxRows("stop", `${recordId(identity.machineId, seq)}:`)
    .map(({ body, createdAt, updatedAt }) => ({ ...(JSON.parse(body) as StopSlice), createdAt, updatedAt }))
    .filter((slice) => slice.deletedAt === null);
}

/** Puts the running shift's roster as one row; it is told anew when someone came or went or made something. */
export function putRoster(context: OutboxContext, operators: ShiftOperators | null): void {
  const { machineId } = context.identity;
  const rowsOf = ({ occurrence: { start, end, shiftId }, shares }: ShiftOperators): RosterRow[] =>
    shares.map((share) => ({ machineId, shiftStart: start, shiftEnd: end, shiftId, ...share }));
  const rows = operators ? rowsOf(operators) : [];
  const withoutTimes = (list: RosterRow[]) => JSON.stringify(list.map((row) => ({ ...row, uptimeMs: 0, downtimeMs: 0 })));
  put<RosterRow[]>(context, "roster", "", 0, rows, (old) => withoutTimes(old) === withoutTimes(rows));
}

/**
 * Puts what each run of a work order made; an open one has no end yet. Of a run that late events took away nothing was made, in no
 * time at all. Good units beyond a run's total settle the deficit of the run right before it.
 * @param runs all that end after `from` and the one right before them, in order
 */
export function putRuns(context: OutboxContext, runs: readonly (OrderRun & { end?: number })[], from: number): void {
  const { storage, identity } = context;
  const { machineId } = identity;
  const starts = new Set(runs.filter(({ workOrderId }) => workOrderId !== null).map(({ start }) => String(start)));
  for (const { key, until, body } of storage.runRowsSince(from)) {
    if (starts.has(key)) continue;
    const row = JSON.parse(body) as RunRow;
    put<RunRow>(context, "run", key, until, { ...row, correct: 0, defects: 0, endAt: row.startAt });
  }
  for (const [i, { start, workOrderId, made, end = null }] of runs.entries()) {
    if (workOrderId === null) continue;
    const next = runs[i + 1];
    const [defects = 0] = defectsOf(next && next.start === end ? [made, next.made] : [made]);
    const row: RunRow = {
      machineId,
      startAt: start,
      workOrderId,
      skuId: made.skuId ?? "",
      correct: roundUnits(made.total - defects),
      defects,
      endAt: end,
    };
    put<RunRow>(context, "run", String(start), end ?? Number.MAX_SAFE_INTEGER, row);
  }
}

/** Whether a newer record of a running shift only goes on where the older one left off. */
function isContinuation(old: RecordRow | null, row: RecordRow): boolean {
  if (!old || old.openBucket === null || old.openBucket === undefined) return false;
  return JSON.stringify(extendSums(old as RecordRow & Parameters<typeof extendSums>[0], row.asOf)) === JSON.stringify(row);
}

function put<Row>(
  { storage, now }: OutboxContext,
  kind: OutboxRow["kind"],
  key: string,
  until: number,
  row: Row,
  isNothingNew: (old: Row) => boolean = () => false,
): void {
  const old = storage.outboxRow(kind, key);
  const body = JSON.stringify(row);
  if (old && (old.body === body || isNothingNew(JSON.parse(old.body) as Row))) {
    if (old.until !== until) storage.saveOutboxRow({ ...old, until });
    return;
  }
  const stamps = { createdAt: old?.createdAt ?? now, updatedAt: now };
  storage.saveOutboxRow({ kind, key, until, body, ...stamps, version: (old?.version ?? 0) + 1, sent: old?.sent ?? 0 });
}

function stopKey(id: number, shiftStart: number): string {
  return `${id}:${shiftStart}`;
}

function recordSeq(storage: MachineStorage, start: number): number {
  const known = storage.recordSeq(start);
  if (known !== null) return known;
  const progress = storage.progress();
  const lastRecord = progress.lastRecord + 1;
  storage.saveProgress({ ...progress, lastRecord });
  storage.saveRecordSeq(start, lastRecord);
  return lastRecord;
}
