import { unsettledFrom } from "../oee/signal.ts";
import { clip, type Interval } from "../oee/time.ts";
import type { Piece } from "../oee/timeline.ts";
import { Books } from "./books.ts";
import type { Configuration } from "./configuration.ts";
import { deleteStopRows, putRecord, putRoster, putRuns, putStop } from "./outbox.ts";
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
  const { dirtyFrom, settlingSince } = storage.progress();
  const from = Math.max(dirtyFrom ?? unsettledFrom(head.ledger.signal), history[0].commissionedAt);
  const changed = calendar.between(from, books.end);
  const rest = changed[SHIFTS_PER_RUN];
  const [first] = changed;
  if (first) {
    const window = { start: first.start, end: rest?.start ?? books.end };
    const pieces = books.pieces(window);
    for (const occurrence of changed.slice(0, SHIFTS_PER_RUN)) putRecord(context, occurrence, books.record(occurrence, pieces));
    const stops = pieces.filter(
      (piece) =>
        piece.kind === "stop" && clip(piece, window.start, window.end) && calendar.between(piece.start, piece.end).length > 0,
    );
    const { current, vanished } = identify(storage, window, stops, books);
    for (const stop of vanished) deleteStopRows(context, stop.seq);
    for (const { seq, piece } of current)
      putStop(context, seq, piece, books.isOpen(piece), calendar.between(piece.start, piece.end));
  }
  putRoster(context, books.operators());
  const { run } = head.ledger;
  putRuns(context, [...storage.runsSince(from), ...(run ? [run] : [])]);
  const startedAt = settlingSince ?? now;
  const step = rest
    ? { dirtyFrom: rest.start, settlingSince: startedAt }
    : { dirtyFrom: null, settlingSince: null, settledAt: startedAt };
  storage.saveProgress({ ...storage.progress(), ...step });
}

/**
 * Finds each stop's number again: the stored stop with the same start, else the one that it overlaps most. A stop that
 * moved keeps its number and with it whatever people said of it; stored ones that no stop claims have vanished.
 */
function identify(
  storage: MachineStorage,
  window: Interval,
  stops: readonly Piece[],
  books: Books,
): { current: { seq: number; piece: Piece }[]; vanished: StoredStop[] } {
  const stored = new Map(storage.stops(window).map((stop) => [stop.seq, stop]));
  const found = new Map<Piece, StoredStop>();
  const claim = (piece: Piece, stop: StoredStop | undefined) => {
    if (!stop) return;
    found.set(piece, stop);
    stored.delete(stop.seq);
  };
  const byStart = new Map([...stored.values()].map((stop) => [stop.start, stop]));
  for (const piece of stops) claim(piece, byStart.get(piece.start));
  for (const piece of stops) if (!found.has(piece)) claim(piece, mostOverlapping(piece, stored.values()));
  for (const stop of stored.values()) storage.deleteStop(stop.seq);
  const current = stops.map((piece) => {
    const old = found.get(piece);
    const seq = old?.seq ?? nextStopSeq(storage);
    const end = books.isOpen(piece) ? null : piece.end;
    if (old?.start !== piece.start || old.end !== end) storage.saveStop({ seq, start: piece.start, end });
    return { seq, piece };
  });
  return { current, vanished: [...stored.values()] };
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

function nextStopSeq(storage: MachineStorage): number {
  const progress = storage.progress();
  const lastStop = progress.lastStop + 1;
  storage.saveProgress({ ...progress, lastStop });
  return lastStop;
}
