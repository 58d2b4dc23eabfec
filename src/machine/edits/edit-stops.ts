import { isDeepStrictEqual } from "node:util";
import { recordId } from "../../core/record-id.ts";
import type {
  EditedBy,
  EditRefusal,
  OrphanEdit,
  StopEdit,
  StopFlags,
  StopMark,
  StopSlice,
} from "../../objects/machine-protocol.ts";
import { append, minOf } from "../../oee/extremes.ts";
import { settingsAt } from "../../oee/settings.ts";
import type { ShiftCalendar } from "../../oee/shifts.ts";
import { type Interval, isoOf } from "../../oee/time.ts";
import { noteReleased, refusalOfPast } from "../ledger/books-door.ts";
import { LedgerReader } from "../ledger/ledger-reader.ts";
import { computeShifts, withWholeStops } from "../ledger/publish-shifts.ts";
import { nextStopSeq } from "../ledger/sequences.ts";
import { publishRemovedStop } from "../publish/domain-events.ts";
import { deleteStopRows, putAudit, putOrphan, type ShiftContext, slicesAhead, stopSlices } from "../publish/projection.ts";
import type { Configuration } from "../settings/configuration.ts";
import { partFrom } from "../storage/floor.ts";
import type { Head } from "../storage/ledger-rows.ts";
import type { MachineStorage, StoredStop } from "../storage/machine-storage.ts";
import { hasCause, markOf, NO_MARK } from "./marks.ts";
import type { StoredEdit } from "./stored-edits.ts";

/** The slices of each stop that resulted from an edit, by start. */
export type EditOutcome = { stops: StopSlice[][] } | EditRefusal | NoStop;
type NoStop = { refused: "no_stop"; message: string };
type AnyEdit = StopEdit | OrphanEdit;

/** What edits of a machine's stops work with. */
export interface Editor {
  context: ShiftContext;
  reader: LedgerReader;
  calendar: ShiftCalendar;
  storage: MachineStorage;
  commissionedAt: number;
  by: EditedBy;
  bulkId: string | null;
}

/** The stops that resulted from an edit, the time whose shifts have to be recomputed, and the number under which the edit is kept (null: it is not). */
type Applied = { seqs: number[]; touched: Interval; n: number | null };
/** The result of an edit that changes nothing: nothing is written. */
export const UNCHANGED = "unchanged";

/** The most stops of a machine that are recorded ahead. */
const MOST_AHEAD = 200;

const AS_SIGNALLED = { isProgrammed: null, isIncludedInStops: null, isIncludedInAvailability: null };

/**
 * Applies an edit, recomputes the shifts that it touches, and adds an audit entry. Runs inside a transaction, after `computeChangedShifts`, so
 * that it sees the stops as they are now. A refused edit changes nothing.
 */
export function editStops(
  storage: MachineStorage,
  configuration: Configuration,
  head: Head,
  edit: AnyEdit,
  by: EditedBy,
  now: number,
): EditOutcome {
  const { identity } = configuration;
  const editor = editorOf(storage, configuration, head, by, now);
  const { context } = editor;
  if (edit.action === "drop") return drop(editor, edit.n);
  const slicesNow = (seq: number) => slicesOf(context, editor.calendar, seq);
  const before = seqsOf(edit).map((seq) => audited(slicesNow(seq)));
  const applied = apply(editor, edit);
  if (applied === UNCHANGED) return { stops: seqsOf(edit).map(slicesNow) };
  if ("refused" in applied) return applied;
  computeTouched(editor, [applied]);
  const stops = applied.seqs.map(slicesNow);
  const after = stops.map(audited);
  putAudit(context, {
    id: crypto.randomUUID(),
    at: now,
    companyId: identity.companyId,
    ...by,
    action: `stop.${edit.action === "attach" ? "change" : edit.action}`,
    objectType: "stop",
    objectId: String(recordId(identity.machineId, applied.seqs[0] ?? seqsOf(edit)[0] ?? 0)),
    before: before.length > 1 ? before : (before[0] ?? null),
    after: after.length > 1 ? after : (after[0] ?? null),
  });
  return { stops };
}

/** A stop's slices; of a recorded one that has not begun, those that it will have by the present calendar. */
export function slicesOf(context: ShiftContext, calendar: ShiftCalendar, seq: number): StopSlice[] {
  const slices = stopSlices(context, seq);
  const stop = context.storage.stop(seq);
  if (slices.length > 0 || !stop || stop.end === null || stop.start <= context.now) return slices;
  return slicesAhead(context, stop, calendar.between(stop.start, stop.end));
}

/** @param bulkId what several edits are made with; null: they are made alone */
export function editorOf(
  storage: MachineStorage,
  configuration: Configuration,
  head: Head,
  by: EditedBy,
  now: number,
  bulkId: string | null = null,
): Editor {
  const { identity, history, calendar } = configuration;
  const context = { storage, identity, history, now, isEdit: true, why: { reasons: ["edit" as const], by } };
  const reader = new LedgerReader(storage, configuration, head, now);
  return { context, reader, calendar, storage, commissionedAt: history[0].commissionedAt, by, bulkId };
}

/**
 * Computes the shifts that overlap the times that edits touched, each once. An edit applies to the whole stop, so to all its shifts. Earlier edits that
 * do not count any more have their place taken by these. If one is taken back with a deleted stop, those whose place it had taken are looked at, too: else
 * the next late event would list them as orphans.
 */
export function computeTouched(editor: Editor, applied: readonly Pick<Applied, "touched" | "n">[]): void {
  const { context, storage, by } = editor;
  let released: Interval[] = [];
  const tookPlaceOf = (edit: StoredEdit) => {
    const near = applied.filter(({ touched }) => touched.start < edit.end && edit.start < touched.end);
    const { n = null } = near.find((one) => one.n !== null) ?? {};
    if (n === null) append(released, undo(storage, edit.n, by));
    else storage.edits.replace(edit.n, n);
  };
  const edited = { ...editor, context: { ...context, edit: { tookPlaceOf } } };
  // An edit is taken back once at most, so this ends.
  for (let times = applied.map(({ touched }) => touched); times.length > 0; times = released) {
    released = [];
    computeTimes(edited, times);
  }
}

/** Takes an edit back. Returns the times of the earlier edits that count again. */
export function undo(storage: MachineStorage, n: number, by: EditedBy): Interval[] {
  const released = storage.edits.undo(n, by);
  noteReleased(storage, released);
  return released;
}

/** Computes the shifts that overlap times of stops, each once. Times in closed books are left out. */
export function computeTimes({ context, reader, calendar, storage }: Editor, times: readonly Interval[]): void {
  const windows: Interval[] = [];
  const open = times.flatMap(({ start, end }) => partFrom({ start, end }, storage.floor().at));
  // What is ahead is in no shift yet.
  for (const one of open.filter(({ start }) => start < reader.end).sort((a, b) => a.start - b.start)) {
    const last = windows.at(-1);
    if (last && one.end <= last.end) continue;
    const { start, end } = withSplitParts(storage, reader, one);
    const shifts = calendar.between(start, end);
    const window = {
      start: Math.min(start, shifts[0]?.start ?? start),
      end: Math.min(Math.max(end, shifts.at(-1)?.end ?? end), reader.end),
    };
    if (last && window.start < last.end) last.end = Math.max(last.end, window.end);
    else windows.push(window);
  }
  for (const window of windows) {
    computeShifts(context, reader, calendar, calendar.between(window.start, window.end), window);
  }
}

/**
 * Extends a window to whole stops, and to the parts that were split off after it. Such a part is programmed, or a break, like the stop that it
 * was a part of: if an edit changes that, it changes the part in all of its shifts.
 */
function withSplitParts(storage: MachineStorage, reader: LedgerReader, touched: Interval): Interval {
  let window = withWholeStops(storage, reader, touched);
  while (storage.boundaries({ start: window.end, end: window.end + 1 }).some(({ kind }) => kind === "cut")) {
    window = withWholeStops(storage, reader, { start: window.start, end: window.end + 1 });
  }
  return window;
}

/** Forgets an orphaned edit. Edits whose place it had taken count again, or are orphaned themselves. */
function drop(editor: Editor, n: number): EditOutcome {
  const { context, storage, by } = editor;
  const { identity, now } = context;
  const edit = storage.edits.get(n);
  if (!edit?.orphan) return noOrphan;
  const released = undo(storage, n, by);
  putOrphan(context, n, null);
  computeTimes(editor, released);
  putAudit(context, {
    id: crypto.randomUUID(),
    at: now,
    companyId: identity.companyId,
    ...by,
    action: "orphaned-edit.drop",
    objectType: "orphaned-edit",
    objectId: String(recordId(identity.machineId, n)),
    before: shownOrphan(context, edit),
    after: null,
  });
  return { stops: [] };
}

function shownOrphan({ identity }: ShiftContext, { kind, start, end, seq, said, boundary, orphan }: StoredEdit) {
  return {
    action: kind,
    stopId: recordId(identity.machineId, seq),
    startTime: isoOf(start),
    endTime: isoOf(end),
    reason: orphan,
    ...(boundary ? { at: isoOf(boundary.at) } : { said }),
  };
}

/** Changes what is stored of the stops, but not the rows of their shifts: `computeTouched` does that. */
export function apply(
  editor: Editor,
  edit: Exclude<AnyEdit, { action: "drop" }>,
): Applied | EditRefusal | NoStop | typeof UNCHANGED {
  const closed = refusalOfPast(editor.storage, firstTouched(editor.storage, edit));
  if (closed) return closed;
  if (edit.action === "record") return record(editor, edit);
  if (edit.action === "merge") return merge(editor, edit);
  const stop = editor.storage.stop(edit.seq);
  if (!stop) return edit.action === "attach" ? noTarget : gone;
  if (edit.version !== null && edit.version !== stop.version) {
    return changedSince;
  }
  switch (edit.action) {
    case "classify":
      return classify(editor, stop, edit);
    case "change":
      return mark(editor, stop, "change", {
        ...ownFlags(edit.flags, stop.mark?.classification?.flags),
        ...(edit.name !== undefined && { name: edit.name }),
      });
    case "split":
      return split(editor, stop, edit.at);
    case "delete":
      return remove(editor, stop);
    case "attach":
      return attach(editor, stop, edit.n);
  }
}

/** Puts what an orphaned edit said on another stop. */
function attach(editor: Editor, stop: StoredStop, n: number): Applied | EditRefusal {
  const { storage, context } = editor;
  const edit = storage.edits.get(n);
  if (!edit?.orphan) return noOrphan;
  if (Object.keys(edit.said).length === 0) {
    return { refused: "conflict", message: "It says nothing that can be put on another stop. It can only be dropped." };
  }
  const after = markOf({ ...stop.mark, ...edit.said });
  storage.saveStop({ ...stop, version: stop.version + 1, mark: after });
  const touched = whole(stop, editor.reader);
  const kept = keep(editor, { kind: edit.kind, ...touched, seq: stop.seq, said: edit.said });
  storage.edits.replace(n, kept);
  putOrphan(context, n, null);
  return { seqs: [stop.seq], touched, n: kept };
}

/** The first instant that an edit may change; infinity: its stops are not there. No stop crosses the instant up to which books are closed. */
export function firstTouched(storage: MachineStorage, edit: Exclude<AnyEdit, { action: "drop" }>): number {
  if (edit.action === "record") return edit.start;
  return minOf(seqsOf(edit).flatMap((seq) => storage.stop(seq)?.start ?? []));
}

function classify(
  editor: Editor,
  stop: StoredStop,
  { causes, flags, isCauseKept }: StopEdit & { action: "classify" },
): Applied | typeof UNCHANGED {
  const old = stop.mark?.classification ?? null;
  const { now } = editor.context;
  if (!causes) return mark(editor, stop, "classify", { ...AS_SIGNALLED, ...flags, classification: null });
  // What a cause says replaces what was said before, and goes with the cause.
  const isCauseGone = hasCause(old) && !hasCause(causes);
  const ofCause = isCauseKept ? [] : Object.keys(flags);
  const given = isCauseGone ? AS_SIGNALLED : Object.fromEntries(ofCause.map((flag) => [flag, null]));
  const classification = { ...causes, classifiedAt: old?.classifiedAt ?? now, reclassifiedAt: now, ...flagsIfAny(flags) };
  return mark(editor, stop, "classify", { ...given, classification });
}

/** The flags that a person set: one that the cause says anyway (null) is the cause's. */
function ownFlags(flags: Partial<StopFlags>, ofCause: Partial<StopFlags> = {}): Partial<StopMark> {
  const own = Object.entries(flags).map(([flag, value]) => [flag, ofCause[flag as keyof StopFlags] === value ? null : value]);
  return Object.fromEntries(own);
}

function flagsIfAny(flags: Partial<StopFlags>): { flags?: Partial<StopFlags> } {
  return Object.keys(flags).length > 0 ? { flags } : {};
}

function mark(
  editor: Editor,
  stop: StoredStop,
  kind: "classify" | "change",
  said: Partial<StopMark>,
): Applied | typeof UNCHANGED {
  const before = stop.mark ?? NO_MARK;
  const after = { ...before, ...said };
  if (isDeepStrictEqual(untimed(after), untimed(before))) return UNCHANGED;
  editor.storage.saveStop({ ...stop, version: stop.version + 1, mark: markOf(after) });
  const touched = whole(stop, editor.reader);
  const n = keep(editor, { kind, ...touched, seq: stop.seq, said });
  return { seqs: [stop.seq], touched, n };
}

/** Keeps what was said, of a stop or of where it is divided. Returns its number. */
function keep(
  { storage, context, by, bulkId }: Editor,
  edit: Pick<StoredEdit, "kind" | "start" | "end" | "seq"> & Partial<Pick<StoredEdit, "said" | "boundary" | "isManual">>,
): number {
  const isManual = storage.manualStops({ start: edit.start, end: edit.start + 1 }).length > 0;
  return storage.edits.add({ isManual, said: {}, boundary: null, ...edit, at: context.now, by, bulkId });
}

/** A mark without its times. */
function untimed({ classification, ...rest }: StopMark) {
  const causes = classification && { ...classification, classifiedAt: 0, reclassifiedAt: 0 };
  return { ...rest, classification: causes };
}

function record(
  editor: Editor,
  { start, end, name, causes, flags, causeFlags = {} }: StopEdit & { action: "record" },
): Applied | EditRefusal {
  const { context, storage, reader, calendar, commissionedAt } = editor;
  if (start < commissionedAt) {
    return { refused: "invalid", member: "startTime", message: "must not be before the machine's commissioning" };
  }
  const { decommissionedAt } = settingsAt(context.history, context.now);
  if (decommissionedAt !== null && end > decommissionedAt) {
    return { refused: "invalid", member: "endTime", message: "must not be after the machine's decommissioning" };
  }
  const ahead = { start: reader.end, end: Number.MAX_SAFE_INTEGER };
  if (end > reader.end && storage.manualStops(ahead).length >= MOST_AHEAD) {
    return { refused: "conflict", message: `The machine has ${MOST_AHEAD} stops ahead, which is the limit.` };
  }
  if (calendar.between(start, end).length === 0) {
    return { refused: "invalid", member: "startTime", message: "is outside shifts, and so is all of the stop" };
  }
  if (storage.manualStops({ start, end }).length > 0) {
    return { refused: "conflict", message: "Another recorded stop is there." };
  }
  const seq = nextStopSeq(storage);
  const { now } = context;
  const classification = causes && { ...causes, classifiedAt: now, reclassifiedAt: now, ...flagsIfAny(causeFlags) };
  const said = { name, classification, ...ownFlags(flags, classification?.flags) };
  storage.deleteBoundaries({ start, end });
  storage.addManualStop({ start, end });
  storage.saveStop({ seq, start, end, version: 1, mark: markOf(said), published: null });
  const n = keep(editor, { kind: "record", start, end, seq, said });
  return { seqs: [seq], touched: withNextStop(start, end, reader), n };
}

function split(editor: Editor, stop: StoredStop, at: number): Applied | EditRefusal {
  const { context, storage, reader, calendar } = editor;
  const { start, end } = whole(stop, reader);
  if (at <= start || at >= end) return { refused: "invalid", member: "at", message: "must lie inside the stop" };
  if (calendar.between(start, at).length === 0 || calendar.between(at, end).length === 0) {
    return { refused: "invalid", member: "at", message: "leaves a part that is in no shift" };
  }
  const seq = nextStopSeq(storage);
  storage.saveBoundary(at, "cut");
  storage.saveStop({ ...stop, end: at, version: stop.version + 1 });
  storage.saveStop({ ...stop, seq, start: at, version: 1, published: null });
  deleteStopRows(context, stop.seq, calendar.between(start, at));
  const about = { kind: "split", start, end, seq: stop.seq } as const;
  const n = keep(editor, { ...about, boundary: { at, kind: "cut" } });
  // Whoever splits a stop says of both parts what was said of it.
  if (stop.mark) keep(editor, { ...about, said: stop.mark });
  return { seqs: [stop.seq, seq], touched: { start, end }, n };
}

function merge(editor: Editor, { seqs, versions }: StopEdit & { action: "merge" }): Applied | EditRefusal {
  const { storage, reader } = editor;
  if (seqs.some((seq, i) => versions && storage.stop(seq) && storage.stop(seq)?.version !== versions[i])) return changedSince;
  const stops = seqs.flatMap((seq) => storage.stop(seq) ?? []).sort((a, b) => a.start - b.start);
  const [first, ...others] = stops;
  const last = stops.at(-1);
  if (!first || !last || stops.length < seqs.length) return gone;
  if (others.some((stop, i) => stops[i]?.end !== stop.start)) {
    return { refused: "conflict", message: "Only stops that follow each other at once can be merged." };
  }
  for (const stop of others) storage.saveBoundary(stop.start, "join");
  const mark = stops.find((stop) => stop.mark !== null)?.mark ?? null;
  storage.saveStop({ ...first, end: last.end, version: first.version + 1, mark });
  const touched = { start: first.start, end: whole(last, reader).end };
  const about = { kind: "merge", ...touched, seq: first.seq } as const;
  const [n = null] = others.map((stop) => keep(editor, { ...about, boundary: { at: stop.start, kind: "join" } }));
  if (mark) keep(editor, { ...about, said: mark });
  return { seqs: [first.seq], touched, n };
}

/** Deletes a recorded stop, so that the signals decide about its time again. */
function remove({ context, storage, reader, calendar }: Editor, stop: StoredStop): Applied | EditRefusal {
  if (!slicesOf(context, calendar, stop.seq)[0]?.isManual) {
    return { refused: "conflict", message: "Only a recorded stop can be deleted: this one is what the signals say." };
  }
  const { start, end } = whole(stop, reader);
  for (const recorded of storage.manualStops({ start, end })) {
    storage.deleteManualStop(recorded.start);
    // If it was split, the other parts stay.
    if (recorded.start < start) storage.addManualStop({ start: recorded.start, end: start });
    if (recorded.end > end && stop.end !== null) storage.addManualStop({ start: end, end: recorded.end });
  }
  storage.deleteBoundaries({ start, end });
  deleteStopRows(context, stop.seq);
  publishRemovedStop(context, stop, calendar);
  storage.deleteStop(stop.seq);
  return { seqs: [], touched: withNextStop(start, end, reader), n: null };
}

/** The time of a recorded stop, whose boundaries were deleted, and the beginning of the next stop, which may have been split off at its end. */
function withNextStop(start: number, end: number, reader: LedgerReader): Interval {
  return { start, end: Math.min(end + 1, reader.end) };
}

/** A stop as the audit shows it, with the members of the API; null when there is none. */
function audited([slice]: readonly StopSlice[]) {
  if (!slice) return null;
  const { id, startAt, endAt, name, isManual, isProgrammed, isIncludedInStops, isIncludedInAvailability, version } = slice;
  const idText = (causeId: number | null) => (causeId === null ? null : String(causeId));
  return {
    id,
    startTime: isoOf(startAt),
    endTime: isoOf(endAt),
    name,
    isManual,
    isProgrammed,
    isIncludedInStops,
    isIncludedInAvailability,
    generalCauseId: idText(slice.generalCauseId),
    specificCauseId: idText(slice.specificCauseId),
    componentId: idText(slice.componentId),
    description: slice.description,
    version,
  };
}

const changedSince: EditRefusal = { refused: "conflict", message: "Someone changed the stop since it was read." };
const noOrphan: EditRefusal = { refused: "not_found", message: "The edit is no orphan, or not any more." };
const noTarget: NoStop = { refused: "no_stop", message: "is not a stop of the machine" };
const gone: EditRefusal = { refused: "not_found", message: "The stop is not there." };

function whole({ start, end }: StoredStop, reader: LedgerReader): Interval {
  return { start, end: end ?? reader.end };
}

function seqsOf(edit: AnyEdit): number[] {
  if (edit.action === "record" || edit.action === "drop") return [];
  return edit.action === "merge" ? edit.seqs : [edit.seq];
}
