import type { ShiftCalendar, ShiftOccurrence } from "../oee/shifts.ts";
import { certainTo, nextThreshold } from "../oee/signal.ts";
import type { Interval } from "../oee/time.ts";
import type { Piece } from "../oee/timeline.ts";
import { Books } from "./books.ts";
import type { Configuration } from "./configuration.ts";
import { nextStopSeq } from "./numbers.ts";
import { deleteStopRows, type ProjectionContext, putRecord, putRoster, putRuns, putStop } from "./projection.ts";
import { markSettled, settled } from "./settled.ts";
import type { Head, MachineStorage, StoredStop } from "./storage.ts";

/** An alarm makes the rows of at most this many shifts anew; the next one goes on. */
const SHIFTS_PER_RUN = 100;

/**
 * Makes the rows of the shifts that changed since the last time anew, as of `now`, and puts those that tell something new
 * into the outbox. Runs inside a transaction, after `advanceTo`.
 */
export function settle(storage: MachineStorage, configuration: Configuration, head: Head, now: number): void {
  const { history, calendar } = configuration;
  const books = new Books(storage, configuration, head, now);
  const context = { storage, identity: configuration.identity, now };
  // The shift in which the ledger ends is in sight even when something was heard after that.
  const from = Math.max(Math.min(changedFrom(storage, head, now), books.end - 1), history[0].commissionedAt);
  const changed = calendar.between(from, books.end);
  const rest = changed[SHIFTS_PER_RUN];
  settleShifts(context, books, calendar, changed.slice(0, SHIFTS_PER_RUN), { start: from, end: rest?.start ?? books.end });
  putRoster(context, books.operators());
  const { run } = head.ledger;
  const runs = [...storage.runsSince(from), ...(run ? [run] : [])];
  const before = runs[0] ? storage.runsSince(runs[0].start - 1).filter(({ end }) => end <= from) : [];
  putRuns(context, [...before, ...runs], from);
  markSettled(storage, now, rest?.start ?? null);
}

/** Since when the rows tell what is not so any more; stops that go on from before are not meant. */
function changedFrom(storage: MachineStorage, { ledger: { signal } }: Head, now: number): number {
  const { dirtyFrom, settledAt } = settled(storage);
  if (dirtyFrom !== null) return dirtyFrom;
  if (settledAt === null || settledAt > now) return certainTo(signal);
  const threshold = nextThreshold(signal, settledAt);
  // Without a threshold passed what went on then still does.
  return threshold === null || threshold > now ? settledAt : certainTo(signal);
}

/**
 * Makes the rows of the shifts of some time and of the stops that reach into it anew. A stop that is as it was has its rows
 * of other shifts already: one that lasts for months costs no more than a new one.
 * @param occurrences all that overlap the time, in order; there may be none when a stop ends
 */
export function settleShifts(
  context: ProjectionContext,
  books: Books,
  calendar: ShiftCalendar,
  occurrences: readonly ShiftOccurrence[],
  { start, end }: Interval,
): void {
  if (start >= end) return;
  const window = withWholeStops(context.storage, books, { start: Math.min(start, occurrences[0]?.start ?? start), end });
  const signalled = books.pieces(window);
  const isReported = (piece: Piece) => piece.kind === "stop" && calendar.between(piece.start, piece.end).length > 0;
  const { moved, vanished } = identify(context.storage, window, signalled.filter(isReported), books);
  for (const stop of vanished) deleteStopRows(context, stop.seq);
  const pieces = books.marked(signalled);
  for (const occurrence of occurrences) putRecord(context, occurrence, books.record(occurrence, pieces));
  const stored = new Map(context.storage.stops(window).map((stop) => [stop.start, stop]));
  for (const piece of pieces) {
    const stop = isReported(piece) ? stored.get(piece.start) : undefined;
    if (!stop) continue;
    if (moved.has(stop.seq)) {
      const touched = calendar.between(piece.start, piece.end);
      putStop(context, stop, piece, touched);
      deleteStopRows(context, stop.seq, touched);
    } else {
      const touched = occurrences.filter((one) => one.start < piece.end && piece.start < one.end);
      putStop(context, stop, piece, touched);
    }
  }
}

/**
 * A window and, whole, every stop that reaches into it, as it is stored and as the time line has it now: a stop that moved
 * is found again only where both are in sight.
 */
export function withWholeStops(storage: MachineStorage, books: Books, window: Interval): Interval {
  let { start, end } = window;
  while (true) {
    const stops = [...storage.stops({ start, end }), ...books.pieces({ start, end }).filter((piece) => piece.stop)];
    const earliest = Math.min(start, ...stops.map((stop) => stop.start));
    const latest = Math.max(end, ...stops.map((stop) => stop.end ?? books.end));
    if (earliest === start && latest === end) return { start, end };
    start = earliest;
    end = latest;
  }
}

/**
 * Finds each stop's number again: the stored stop with the same start, else the one that it overlaps most. A stop that
 * moved keeps its number and with it whatever people said of it. A new stop where a longer one was is a part of it, cut off by
 * a late count or a recorded stop, and inherits what people said. Gives the numbers of those that are new or not where they were,
 * and the stored ones that no stop claims: they vanished.
 */
function identify(
  storage: MachineStorage,
  window: Interval,
  stops: readonly Piece[],
  books: Books,
): { moved: Set<number>; vanished: StoredStop[] } {
  const before = storage.stops(window);
  const stored = new Map(before.map((stop) => [stop.seq, stop]));
  const found = new Map<Piece, StoredStop>();
  const claim = (piece: Piece, stop: StoredStop | undefined) => {
    if (!stop) return;
    found.set(piece, stop);
    stored.delete(stop.seq);
  };
  // Where a stop was recorded over the start of another one, the later of the two begins there.
  const byStart = new Map([...stored.values()].map((stop) => [stop.start, stop]));
  for (const piece of stops) claim(piece, byStart.get(piece.start));
  for (const piece of stops) if (!found.has(piece)) claim(piece, mostOverlapping(piece, stored.values()));
  for (const stop of stored.values()) storage.deleteStop(stop.seq);
  const moved = new Set<number>();
  for (const piece of stops) {
    const old = found.get(piece) ?? newStop(storage, piece, before);
    const end = books.isOpen(piece) ? null : piece.end;
    if (old.start === piece.start && old.end === end) continue;
    storage.saveStop({ ...old, start: piece.start, end });
    moved.add(old.seq);
  }
  return { moved, vanished: [...stored.values()] };
}

/** What people said of a recorded stop is its own: no part of a signalled stop inherits it, nor the other way round. */
function newStop(storage: MachineStorage, piece: Piece, before: readonly StoredStop[]) {
  const isManual = ({ start }: StoredStop) => storage.manualStops({ start, end: start + 1 }).length > 0;
  // An open stop is known up to when the rows were last made: what comes later is another stop.
  const knownUntil = settled(storage).settledAt ?? 0;
  const parents = before
    .filter((stop) => stop.mark && !isManual(stop))
    .map((stop) => ({ ...stop, end: stop.end ?? Math.max(stop.start, knownUntil) }));
  const parent = piece.stop?.isManual ? undefined : mostOverlapping(piece, parents);
  const seq = nextStopSeq(storage);
  return { seq, start: null, end: null, version: parent ? 1 : 0, mark: parent?.mark ?? null };
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
