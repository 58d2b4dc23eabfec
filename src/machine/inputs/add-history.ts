import type { EventResult, HistoryAdded, HistoryPiece } from "../../objects/machine-protocol.ts";
import { startLedger } from "../../oee/machine.ts";
import { DAY_MS, MINUTE_MS } from "../../oee/time.ts";
import { markUrgent } from "../ledger/progress.ts";
import { hastenRecalculation, postponeRecalculation } from "../ledger/recalculation.ts";
import type { Configuration } from "../settings/configuration.ts";
import { otherMachine } from "../settings/count-channels.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { dayOf } from "../storage/stored-days.ts";
import type { TakenPiece } from "../storage/stored-imports.ts";
import { acceptEvents } from "./input-log.ts";
import { positionOf, startOf } from "./ledger-position.ts";
import { beginAsNotLive } from "./live-since.ts";
import type { TakenEvent } from "./stored-event.ts";

// Events of an import come in pieces of a file. Those of archived days are written straight into the rows of the days, and one recalculation is done
// for all of them, after the last piece.

/** Days of the present stay in the journal: what happens at the machine is folded at once. */
const RECENT_MS = 2 * DAY_MS;
/** The most days whose events are added in one transaction. */
const MOST_DAYS_AT_ONCE = 4;
/** How long a recalculation waits for the next piece. */
const PAUSE_MS = 10 * MINUTE_MS;

// The results of the events of a piece.
const NOT_TAKEN = 0;
const ACCEPTED = 1;
const DUPLICATE = 2;
const HELD = 3;
const FIRST_REFUSAL = 10;

/** An event of a piece, and its number in it. */
interface Numbered {
  incoming: TakenEvent;
  i: number;
}

/**
 * Begins to take a piece of an import, or continues where it was interrupted. Runs inside a transaction.
 * @param events what the events of the piece mean; null: they are another machine's
 * @returns the events that are not taken yet, in groups of few days; null if the import was withdrawn, or a later piece was taken
 */
export function beginHistory(
  storage: MachineStorage,
  configuration: Configuration,
  piece: HistoryPiece,
  events: readonly (TakenEvent | null)[],
  now: number,
): Numbered[][] | null {
  const { importId, offset, receivedAt } = piece;
  const known = storage.imports.piece();
  const isOver = known?.importId === importId && known.offset > offset;
  if (isOver || storage.imports.get(importId)?.isWithdrawn) return null;
  const taken = takenOf(storage, piece) ?? { importId, offset, results: new Uint8Array(events.length), refusals: [] };
  const left = events.flatMap((incoming, i): Numbered[] => {
    if (taken.results[i] !== NOT_TAKEN) return [];
    if (incoming) return [{ incoming: { ...incoming, imported: { importId, receivedAt } }, i }];
    taken.results[i] = resultOf(taken, otherMachine);
    return [];
  });
  openArchive(storage, configuration, left, now);
  storage.imports.savePiece(taken);
  return ofFewDays(left);
}

/** Adds a group of events of a piece. Runs inside a transaction. Returns false if the import was withdrawn, or a later piece was taken. */
export function addHistory(
  storage: MachineStorage,
  configuration: Configuration,
  piece: HistoryPiece,
  group: readonly Numbered[],
  now: number,
): boolean {
  const taken = takenOf(storage, piece);
  if (!taken) return false;
  // A caller who gave up may have left a call that does the same.
  const part = group.filter(({ i }) => taken.results[i] === NOT_TAKEN);
  const events = part.map(({ incoming }) => incoming);
  const results = acceptEvents(storage, configuration, events, now);
  const held = new Set(storage.held.at(events.map(positionOf)).map(({ pos }) => pos));
  for (const [n, { incoming, i }] of part.entries()) {
    const result = resultOf(taken, results[n] ?? "duplicate");
    taken.results[i] = result === ACCEPTED && held.has(positionOf(incoming)) ? HELD : result;
  }
  noteTimes(storage, taken, part);
  storage.imports.savePiece(taken);
  // A run that is late may send the last piece again once the import has ended: nobody would hasten the recalculation after that.
  if (part.some(({ i }) => isTaken(taken.results[i]))) postponeRecalculation(storage, now + PAUSE_MS);
  return true;
}

/** The results of a piece that was taken; null if the import was withdrawn, or a later piece was taken. */
export function historyAdded(storage: MachineStorage, piece: HistoryPiece): HistoryAdded | null {
  const taken = takenOf(storage, piece);
  return taken && { results: taken.results, refusals: taken.refusals };
}

/** What was taken of a piece; null if it is not the one that is being taken. */
function takenOf(storage: MachineStorage, { importId, offset, events }: HistoryPiece): TakenPiece | null {
  const known = storage.imports.piece();
  const isSame = known?.importId === importId && known.offset === offset && known.results.length === events.length;
  return isSame ? known : null;
}

/** Lets the recalculation begin, and what changed be sent: there are no more pieces. Runs inside a transaction. */
export function endHistory(storage: MachineStorage, importId: number, now: number): void {
  if (storage.imports.piece()?.importId === importId) storage.imports.savePiece(null);
  hastenRecalculation(storage, now);
  if (storage.imports.get(importId)) markUrgent(storage);
}

/**
 * Before its first event of long ago, has a machine keep such events with the archived days, although none is archived yet. If it has no event
 * at all, its ledger begins where the journal does, as if nothing had happened before: the recalculation finds out what did.
 */
function openArchive(storage: MachineStorage, { history }: Configuration, left: readonly Numbered[], now: number): void {
  if (storage.events.archivedTo() > 0) return;
  const first = Math.min(storage.events.firstAt() ?? Number.POSITIVE_INFINITY, now - RECENT_MS);
  const before = Math.floor(first / DAY_MS) * DAY_MS;
  if (!left.some(({ incoming }) => incoming.event.at < before)) return;
  storage.events.archiveFrom(before);
  const start = { pos: startOf(before), ledger: startLedger(history) };
  storage.ledger.addCheckpoint(start, before);
  if (storage.head()) return;
  storage.saveHead(start);
  beginAsNotLive(storage);
}

function resultOf({ refusals }: TakenPiece, result: EventResult): number {
  if (result === "accepted") return ACCEPTED;
  if (result === "duplicate") return DUPLICATE;
  const refusal = { code: result.closedTo !== undefined ? "closed_books" : result.code, message: result.message };
  const isSame = ({ code, message }: TakenPiece["refusals"][number]) => code === refusal.code && message === refusal.message;
  const known = refusals.findIndex(isSame);
  return FIRST_REFUSAL + (known >= 0 ? known : refusals.push(refusal) - 1);
}

function isTaken(result: number | undefined): boolean {
  return result === ACCEPTED || result === HELD;
}

/** Notes between which times the import has events. */
function noteTimes(storage: MachineStorage, { importId, results }: TakenPiece, part: readonly Numbered[]): void {
  const known = storage.imports.get(importId);
  let { from, until } = known ?? { from: Number.POSITIVE_INFINITY, until: 0 };
  for (const { incoming, i } of part) {
    if (!isTaken(results[i])) continue;
    from = Math.min(from, incoming.event.at);
    until = Math.max(until, incoming.event.at);
  }
  const isNews = from !== known?.from || until !== known.until;
  if (isNews && from <= until) storage.imports.save(importId, { from, until, isWithdrawn: false });
}

/** Events in groups of few UTC days, in order of the days. */
function ofFewDays(events: readonly Numbered[]): Numbered[][] {
  const byDay = [...Map.groupBy(events, ({ incoming }) => dayOf(startOf(incoming.event.at)))].sort(([a], [b]) => a - b);
  const groups: Numbered[][] = [];
  for (let i = 0; i < byDay.length; i += MOST_DAYS_AT_ONCE)
    groups.push(byDay.slice(i, i + MOST_DAYS_AT_ONCE).flatMap(([, ofDay]) => ofDay));
  return groups;
}
