import { isDeepStrictEqual } from "node:util";
import type { StopMark } from "../../objects/machine-protocol.ts";
import { nothingOf } from "../../oee/corrections.ts";
import { attachEdits } from "../../oee/edits.ts";
import { maxOf, minOf } from "../../oee/extremes.ts";
import type { OutsideHour } from "../../oee/production.ts";
import type { ShiftCalendar, ShiftOccurrence } from "../../oee/shifts.ts";
import { certainTo, nextThreshold } from "../../oee/signal.ts";
import type { Interval } from "../../oee/time.ts";
import type { Piece } from "../../oee/timeline.ts";
import { markOf } from "../edits/marks.ts";
import { publishPresences, publishRemovedStop, publishShift, publishSignal, publishStop } from "../publish/domain-events.ts";
import {
  deleteFormerShifts,
  deleteSlicesAfter,
  deleteStopRows,
  putCorrection,
  putOperators,
  putOrphan,
  putOutsideHours,
  putParts,
  putRecord,
  putRuns,
  putStop,
  type RecordChange,
  type ShiftContext,
} from "../publish/projection.ts";
import { Revisions } from "../publish/revisions.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { Head } from "../storage/ledger-rows.ts";
import type { MachineStorage, StoredStop } from "../storage/machine-storage.ts";
import { settingsNeededFrom } from "../storage/retention.ts";
import type { StoredCorrection } from "../storage/stored-corrections.ts";
import { openSince } from "./books-door.ts";
import { LedgerReader } from "./ledger-reader.ts";
import { markComputed, progressOf } from "./progress.ts";
import { nextStopSeq } from "./sequences.ts";
import { lateEvents, type Why } from "./why.ts";

/** An alarm computes the rows of at most this many shifts; the next one continues. */
const SHIFTS_PER_RUN = 100;

/**
 * Computes the rows of the shifts that changed since the last time, as of `now`, and puts them into the projection. Runs inside a
 * transaction, after `advanceTo`.
 * @param isForReader whether somebody reads the rows now: then they include rosters of which only the times have grown
 * @returns how many records of closed shifts it changed
 */
export function computeChangedShifts(
  storage: MachineStorage,
  configuration: Configuration,
  head: Head,
  now: number,
  isForReader = false,
): number {
  const { history, calendar } = configuration;
  const reader = new LedgerReader(storage, configuration, head, now);
  const { why = lateEvents } = progressOf(storage);
  const context = { storage, identity: configuration.identity, history, now, isForReader, why };
  // The shift in which the ledger ends is included even if an event came after the end.
  const possiblyFrom = Math.max(Math.min(changedFrom(storage, head, now), reader.end - 1), history[0].commissionedAt);
  const from = openSince(storage, possiblyFrom);
  const changed = calendar.between(from, reader.end);
  const rest = changed[SHIFTS_PER_RUN];
  const window = { start: from, end: rest?.start ?? reader.end };
  const revised = computeShifts(context, reader, calendar, changed.slice(0, SHIFTS_PER_RUN), window);
  putRunsIn(context, head, from);
  const outside = { start: from, end: rest?.start ?? now + 1 };
  putOutsideHours(context, outsideHours(storage, head, outside), outside);
  publishPresences(context, head.ledger, calendar, from);
  publishSignal(context, head.ledger, reader);
  markComputed(storage, now, rest?.start ?? null);
  return revised;
}

/**
 * Computes the rows of the shifts, runs and hours of a past window. Runs inside a transaction.
 * @param why why they are computed again
 * @returns the instant up to which they are computed (a shift is computed whole), and how many records of closed shifts changed
 */
export function publishWindow(
  storage: MachineStorage,
  configuration: Configuration,
  head: Head,
  { start, end }: Interval,
  now: number,
  why: Why,
): { until: number; changed: number } {
  const { calendar, history, identity } = configuration;
  const reader = new LedgerReader(storage, configuration, head, now);
  const context = { storage, identity, history, now, why };
  const shifts = calendar.between(start, end);
  const window = { start, end: Math.max(end, shifts.at(-1)?.end ?? end) };
  const changed = computeShifts(context, reader, calendar, shifts, window);
  putRunsIn(context, head, window.start, window.end);
  putOutsideHours(context, outsideHours(storage, head, window), window);
  return { until: window.end, changed };
}

/** Puts the runs that end after an instant and begin before another one. */
function putRunsIn(context: ShiftContext, { ledger: { run } }: Head, from: number, to?: number): void {
  const { ledger } = context.storage;
  const all = [...ledger.runsSince(from), ...(run ? [run] : [])];
  const later = to === undefined ? -1 : all.findIndex(({ start }) => start >= to);
  const runs = later < 0 ? all : all.slice(0, later + 1);
  const before = runs[0] ? ledger.runsSince(runs[0].start - 1).filter(({ end }) => end <= from) : [];
  putRuns(context, [...before, ...runs], from, to);
}

/** The hours outside shifts that overlap a window, in order. */
function outsideHours(storage: MachineStorage, { ledger: { outsideHour } }: Head, { start, end }: Interval): OutsideHour[] {
  const hours = [...storage.ledger.outsideHoursSince(start), ...(outsideHour ? [outsideHour] : [])];
  return hours.filter((hour) => hour.start < end && start < hour.end);
}

/** Start of the stale rows, apart from stops that began before it. */
function changedFrom(storage: MachineStorage, { ledger: { signal } }: Head, now: number): number {
  const { dirtyFrom, settledAt, settlingSince } = progressOf(storage);
  if (settledAt === null || settledAt > now) return dirtyFrom ?? certainTo(signal);
  // A computation of more than one alarm continues where the last alarm ended.
  if (dirtyFrom !== null && settlingSince !== null) return dirtyFrom;
  const threshold = nextThreshold(signal, settledAt);
  // If no threshold has passed, nothing has changed since.
  const byTime = threshold === null || threshold > now ? settledAt : certainTo(signal);
  return Math.min(dirtyFrom ?? byTime, byTime);
}

/**
 * Computes the rows of all shifts in a window and of the stops that overlap it. The window is extended to the ends of these shifts, so that
 * their records lack nothing. An unchanged stop keeps its rows of other shifts, so one that lasts for months costs no more than a new one.
 * @param occurrences all that overlap the window, in order; there may be none when a stop ends
 * @returns how many records of closed shifts changed
 */
export function computeShifts(
  context: ShiftContext,
  reader: LedgerReader,
  calendar: ShiftCalendar,
  occurrences: readonly ShiftOccurrence[],
  { start, end: possiblyEnd }: Interval,
): number {
  if (start >= possiblyEnd) return 0;
  const ofShifts = withWholeShifts(reader, occurrences, { start, end: possiblyEnd });
  const { end } = ofShifts;
  const window = withWholeStops(context.storage, reader, ofShifts);
  const signalled = reader.pieces(window);
  const isReported = (piece: Piece) => piece.kind === "stop" && calendar.between(piece.start, piece.end).length > 0;
  const revisions = new Revisions(context, occurrences);
  const { changed, vanished, remarked } = identify(context, window, signalled.filter(isReported), reader);
  for (const stop of vanished) {
    revisions.addStops(deleteStopRows(context, stop.seq));
    publishRemovedStop(context, stop, calendar);
  }
  const pieces = reader.marked(signalled);
  const changes: [ShiftOccurrence, RecordChange][] = [];
  for (const occurrence of occurrences) {
    const change = putShift(context, revisions, reader, occurrence, pieces);
    if (change) changes.push([occurrence, change]);
  }
  putLostCorrections(context, calendar, { start, end });
  const stored = new Map(context.storage.stops(window).map((stop) => [stop.start, stop]));
  for (const piece of pieces) {
    const stop = isReported(piece) ? stored.get(piece.start) : undefined;
    if (!stop) continue;
    if (changed.has(stop.seq)) {
      const touched = calendar.between(piece.start, piece.end);
      revisions.addStops(putStop(context, stop, piece, touched));
      revisions.addStops(deleteStopRows(context, stop.seq, touched));
    } else {
      const touched = occurrences.filter((one) => one.start < piece.end && piece.start < one.end);
      revisions.addStops(putStop(context, stop, piece, touched));
    }
    publishStop(context, stop, piece, calendar);
  }
  for (const [occurrence, { old }] of changes) {
    if (old && old.endAt > occurrence.end) revisions.addStops(deleteSlicesAfter(context, occurrence, old.endAt));
  }
  deleteFormerShifts(context, calendar, ofShifts);
  revisions.put();
  // After the stops, so that the event of a closed shift comes after the events of its stops.
  for (const [occurrence, change] of changes) publishShift(context, occurrence, change);
  let revised = changes.filter(([, { old }]) => old?.openBucket === null).length;
  for (const piece of remarked) revised += computeOtherShifts(context, reader, calendar, occurrences, piece);
  return revised;
}

/** Extends a window to the ends of shifts, as far as the ledger goes. */
function withWholeShifts(reader: LedgerReader, occurrences: readonly ShiftOccurrence[], { start, end }: Interval): Interval {
  const [first, last] = [occurrences[0], occurrences.at(-1)];
  if (!first || !last) return { start, end };
  return { start: Math.min(start, first.start), end: Math.max(end, Math.min(last.end, reader.end)) };
}

/** Puts the rows of a shift. Returns the change of its record; null: it has not changed. */
function putShift(
  context: ShiftContext,
  revisions: Revisions,
  reader: LedgerReader,
  occurrence: ShiftOccurrence,
  pieces: readonly Piece[],
): RecordChange | null {
  const record = reader.record(occurrence, pieces);
  const change = putRecord(context, occurrence, record);
  const { parts, applied } = reader.parts(occurrence, record);
  if (putParts(context, occurrence, parts)) revisions.addParts(occurrence);
  // The operators are credited by what is applied.
  for (const correction of applied) putApplied(context, correction, occurrence);
  const shares = reader.shares(occurrence, record.segments);
  if (putOperators(context, occurrence, shares, record.sums.openBucket !== null)) revisions.addRoster(occurrence);
  if (change) revisions.addRecord(occurrence, change);
  return change;
}

/** Computes the shifts of a stop that are not among those computed already: something else is said of it now, so its time may count otherwise. */
function computeOtherShifts(
  context: ShiftContext,
  reader: LedgerReader,
  calendar: ShiftCalendar,
  done: readonly ShiftOccurrence[],
  { start, end }: Interval,
): number {
  const starts = new Set(done.map((one) => one.start));
  const others = calendar.between(start, end).filter((one) => !starts.has(one.start));
  const [first] = others;
  if (!first) return 0;
  const isPast = first.start < settingsNeededFrom(context.storage);
  const whole = isPast ? reader.withPast(context.identity) : { reader, calendar, history: context.history };
  const window = { start, end: Math.min(end, reader.end) };
  return computeShifts({ ...context, history: whole.history }, whole.reader, whole.calendar, others, window);
}

/** Saves that corrections change nothing whose instants are in no shift any more. */
function putLostCorrections(context: ShiftContext, calendar: ShiftCalendar, window: Interval): void {
  for (const correction of context.storage.corrections.in(window))
    if (!calendar.at(correction.at)) putApplied(context, { ...correction, applied: nothingOf(correction.applied) }, null);
}

/** Saves what became of a correction, if that has changed. */
function putApplied(context: ShiftContext, correction: StoredCorrection, occurrence: ShiftOccurrence | null): void {
  const { corrections } = context.storage;
  if (JSON.stringify(corrections.get(correction.seq)) !== JSON.stringify(correction)) corrections.save(correction);
  putCorrection(context, correction, occurrence);
}

/**
 * Extends a window so that its edges cut no stop, neither as stored nor as in the present time line, and nothing that people said. A stop that moved can
 * only be found again if both are in the window, and of which stops something is said is known only with all of them. No stop crosses the instant up to which books are closed.
 */
export function withWholeStops(storage: MachineStorage, reader: LedgerReader, window: Interval): Interval {
  let { start, end } = window;
  while (true) {
    const stops = [...storage.stops({ start, end }), ...reader.pieces({ start, end }).filter((piece) => piece.stop)];
    const whole = [...stops, ...storage.edits.live({ start, end })];
    const earliest = minOf([start, ...whole.map((one) => openSince(storage, one.start))]);
    const latest = maxOf([end, ...whole.map((one) => one.end ?? reader.end)]);
    if (earliest === start && latest === end) return { start, end };
    start = earliest;
    end = latest;
  }
}

/**
 * Matches the stops of the time line with the stored ones: by start, otherwise by the largest overlap, so that a stop that moved keeps its number. What
 * is said of each stop follows from what people said of its time.
 * @returns the numbers of stops that are new, moved or said to be something else; the stored stops without a match, which are deleted; and the stops of
 * which something else is said
 */
function identify(
  context: ShiftContext,
  window: Interval,
  stops: readonly Piece[],
  reader: LedgerReader,
): { changed: Set<number>; vanished: StoredStop[]; remarked: Piece[] } {
  const { storage } = context;
  const stored = new Map(storage.stops(window).map((stop) => [stop.seq, stop]));
  const found = new Map<Piece, StoredStop>();
  const claim = (piece: Piece, stop: StoredStop | undefined) => {
    if (!stop) return;
    found.set(piece, stop);
    stored.delete(stop.seq);
  };
  // If a stop was recorded over the start of another one, both are stored with this start: the later of the two is matched.
  const byStart = new Map([...stored.values()].map((stop) => [stop.start, stop]));
  for (const piece of stops) claim(piece, byStart.get(piece.start));
  for (const piece of stops) if (!found.has(piece)) claim(piece, mostOverlapping(piece, stored.values()));
  for (const stop of stored.values()) storage.deleteStop(stop.seq);
  const marks = marksOf(context, window, stops, reader);
  const changed = new Set<number>();
  const remarked: Piece[] = [];
  for (const [i, piece] of stops.entries()) {
    const old = found.get(piece) ?? {
      seq: nextStopSeq(storage),
      start: null,
      end: null,
      version: 0,
      mark: null,
      published: null,
    };
    const end = reader.isOpen(piece) ? null : piece.end;
    const mark = marks[i] ?? null;
    const isSame = isDeepStrictEqual(mark, old.mark);
    if (old.start === piece.start && old.end === end && isSame) continue;
    storage.saveStop({ ...old, start: piece.start, end, mark, version: old.version + (isSame ? 0 : 1) });
    changed.add(old.seq);
    if (!isSame) remarked.push(piece);
  }
  return { changed, vanished: [...stored.values()], remarked };
}

/**
 * The marks of stops, by what people said of the time of a window, whose edges cut nothing. What does not count any more is kept as an orphan, unless a
 * person's edit took its place.
 */
function marksOf(context: ShiftContext, window: Interval, stops: readonly Piece[], reader: LedgerReader): (StopMark | null)[] {
  const { storage } = context;
  const { edits } = storage;
  const live = edits.live(window);
  if (live.length === 0) return [];
  const edited = stops.map((piece) => {
    return { start: piece.start, end: reader.isOpen(piece) ? null : piece.end, isManual: piece.stop?.isManual ?? false };
  });
  const { said, orphans } = attachEdits(edited, live);
  const reasons = new Map(orphans.map(({ n, reason }) => [n, reason]));
  for (const edit of live) {
    // The stops before that, of which it may be said as well, do not change.
    if (edit.start < storage.floor().at) continue;
    const { n, orphan } = edit;
    const reason = reasons.get(n) ?? null;
    if (reason === orphan) continue;
    if (reason !== null && orphan === null && context.edit) context.edit.tookPlaceOf(edit);
    else {
      edits.setOrphan(n, reason);
      putOrphan(context, n, reason && { ...edit, orphan: reason });
    }
  }
  return said.map(markOf);
}

function mostOverlapping(piece: Interval, stops: Iterable<StoredStop>): StoredStop | undefined {
  let best: StoredStop | undefined;
  let bestMs = 0;
  for (const stop of stops) {
    const common = Math.min(piece.end, stop.end ?? piece.end) - Math.max(piece.start, stop.start);
    if (common > bestMs) [best, bestMs] = [stop, common];
  }
  return best;
}
