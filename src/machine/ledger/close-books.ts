import type { FoldedEvent } from "../../oee/events.ts";
import { advanceLedger, type LedgerSink, type MachineLedger } from "../../oee/machine.ts";
import { undecidedFrom } from "../../oee/signal.ts";
import { acceptClosed } from "../edits/decide-held.ts";
import { foldAgain } from "../inputs/input-log.ts";
import { startOf } from "../inputs/ledger-position.ts";
import { isOfKnownKind } from "../inputs/stored-event.ts";
import type { Configuration } from "../settings/configuration.ts";
import { floorPosition } from "../storage/floor.ts";
import type { Head } from "../storage/ledger-rows.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { firstLedger, recalculableFrom } from "../storage/retention.ts";
import { noteComputed, waitingFrom } from "./books-door.ts";
import { LedgerReader } from "./ledger-reader.ts";
import { markUrgent, progressOf } from "./progress.ts";
import { computeShifts } from "./publish-shifts.ts";
import { recalculationOf } from "./recalculation.ts";
import type { Why } from "./why.ts";

// How the books of a machine are closed and reopened. A closing puts a floor under its ledger: the ledger there is kept, and so is the time line before
// it, as it is then. Events before it are held, replays begin there, and no row of a shift before it is computed again. It is at the instant up to which
// the company closes its books, or where the shift that runs then begins: a shift is closed as a whole, or not at all.

/** A closing of the company's books that the machine has done. */
interface Closed {
  to: number;
  at: number;
  /** Whether people had joined or cut the stops at the floor: then the boundary that closing made takes the place of that. */
  boundary: "cut" | "join" | null;
}

const CLOSED = "closings";
const LAST_REOPENED = "last reopened";
/** Stops that cross a floor are divided there. */
const byClosing: Why = { reasons: ["edit"], by: null };
const byReopening: Why = { reasons: ["recalculation"], by: null };

function allClosed(storage: MachineStorage): readonly Closed[] {
  return storage.setUp<Closed[]>(CLOSED) ?? [];
}

/**
 * Closes the books up to an instant, so that nothing before it changes any more. Repeating it changes nothing. Runs inside a transaction, after
 * `computeChangedShifts`.
 * @param closingId the number of the closing, which grows: one that was taken back does not come again
 * @param configuration with all settings of the past
 * @returns false if something that may change the past is not done yet
 */
export function closeBooks(
  storage: MachineStorage,
  configuration: Configuration,
  head: Head,
  { closingId, to }: { closingId: number; to: number },
  now: number,
): boolean {
  if (closingId <= (storage.value<number>(LAST_REOPENED) ?? 0)) return false;
  const floor = storage.floor();
  if (floor.to >= to) return true;
  if (recalculationOf(storage) || storage.ledger.replaced() || floor.spansFrom > floor.at) return false;
  const { dirtyFrom, settlingSince } = progressOf(storage);
  if (dirtyFrom !== null || settlingSince !== null) return false;
  const { calendar } = configuration;
  const running = calendar.at(to);
  const at = Math.max(floor.at, running && running.start < to ? running.start : to);
  const boundary = freeze(storage, configuration, head, at, now);
  storage.saveFloor({ at, to, spansFrom: at });
  storage.saveSetUp(CLOSED, [...allClosed(storage), { to, at, boundary }]);
  // What a dry run has replayed may be of before.
  storage.rewinds += 1;
  markUrgent(storage);
  return true;
}

/** Keeps the ledger at an instant, and the time line before it as it is now. Returns what was between the stops there before. */
function freeze(storage: MachineStorage, configuration: Configuration, head: Head, at: number, now: number): Closed["boundary"] {
  const floor = storage.floor();
  const { history, calendar, identity } = configuration;
  const [{ commissionedAt }] = history;
  const [boundary] = storage.boundaries({ start: at, end: at + 1 });
  const ledger = ledgerAt(storage, configuration, at);
  if (!ledger || at <= Math.max(floor.at, commissionedAt)) return boundary?.kind ?? null;
  const { signal } = ledger;
  const start = Math.max(signal.last?.start ?? undecidedFrom(signal), commissionedAt, floor.spansFrom);
  const pos = floorPosition(at);
  storage.ledger.freezeSpans(new LedgerReader(storage, configuration, head, now).spans({ start, end: at }), at, pos);
  storage.ledger.addCheckpoint({ pos, ledger }, at - 1);
  if (!storage.head()) storage.saveHead({ pos, ledger });
  storage.saveBoundary(at, "cut");
  storage.saveFloor({ ...floor, spansFrom: at });
  const isCrossed = storage.stops({ start: at - 1, end: at + 1 }).some((stop) => stop.start < at && (stop.end ?? now) > at);
  if (isCrossed) {
    const reader = new LedgerReader(storage, configuration, storage.head() ?? head, now);
    const around = { start: at - 1, end: Math.min(at + 1, reader.end) };
    const context = { storage, identity, history, now, why: byClosing };
    computeShifts(context, reader, calendar, calendar.between(around.start, around.end), around);
  }
  return boundary?.kind ?? null;
}

const nothing: LedgerSink = {
  span: () => undefined,
  presence: () => undefined,
  tally: () => undefined,
  run: () => undefined,
  part: () => undefined,
  outsideHour: () => undefined,
};

/** The ledger before the events from an instant on; null: the events of that time are not kept, so that nothing is computed from it anyway. */
function ledgerAt(storage: MachineStorage, { history, calendar }: Configuration, at: number): MachineLedger | null {
  const end = startOf(at);
  const from = storage.ledger.checkpointBefore(end) ?? firstLedger(storage, history);
  if (!from) return null;
  const ledger = structuredClone(from.ledger) as MachineLedger;
  const fold = (event: FoldedEvent) => isOfKnownKind(event) && advanceLedger(ledger, event, history, calendar, nothing);
  for (const { event } of storage.events.after(from.pos, at - 1)) fold(event);
  return ledger;
}

/**
 * Reopens the books down to an instant: what was closed after it is computed again as if it had never been. Repeating it changes nothing. Runs inside a
 * transaction.
 * @param closingId the number of the closing that is taken back
 * @param isFailed whether the closing failed: then the events that it held are accepted
 * @param configuration with all settings of the past
 */
export function reopenBooks(
  storage: MachineStorage,
  configuration: Configuration,
  { closingId, to, isFailed }: { closingId: number; to: number; isFailed: boolean },
  now: number,
): void {
  storage.saveValue(LAST_REOPENED, Math.max(closingId, storage.value<number>(LAST_REOPENED) ?? 0));
  const { spansFrom } = storage.floor();
  const kept = allClosed(storage).filter((one) => one.to <= to);
  const reopened = allClosed(storage).filter((one) => one.to > to);
  const [lowest] = reopened;
  if (!lowest) return;
  storage.saveSetUp(CLOSED, kept);
  const last = kept.at(-1);
  storage.saveFloor({ at: last?.at ?? 0, to: last?.to ?? 0, spansFrom });
  for (const { at, boundary } of reopened) {
    if (at === last?.at) continue;
    if (boundary) storage.saveBoundary(at, boundary);
    else storage.deleteBoundaries({ start: at, end: at });
  }
  const first = Math.min(lowest.at - 1, waitingFrom(storage));
  const from = Math.max(first, configuration.history[0].commissionedAt, recalculableFrom(storage));
  const until = Math.max(storage.events.newestAt() ?? 0, from);
  const isLower = lowest.at > (last?.at ?? 0);
  if (isLower && from < lowest.at) foldAgain(storage, configuration, { from, until }, now, byReopening);
  else storage.saveFloor({ ...storage.floor(), spansFrom: storage.floor().at });
  noteComputed(storage, storage.floor().at);
  if (isFailed) acceptClosed(storage, configuration, now);
  markUrgent(storage);
}
