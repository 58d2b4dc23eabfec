import { LATE_LIMIT_MS } from "../../objects/machine-protocol.ts";
import { startLedger } from "../../oee/machine.ts";
import type { SettingsHistory } from "../../oee/settings.ts";
import { MAX_SHIFT_MS } from "../../oee/shifts.ts";
import { coverableFrom, undecidedFrom } from "../../oee/signal.ts";
import { DAY_MS } from "../../oee/time.ts";
import { startOf, timeOf } from "../inputs/ledger-position.ts";
import { progressOf } from "../ledger/progress.ts";
import { recalculationOf } from "../ledger/recalculation.ts";
import type { Configuration } from "../settings/configuration.ts";
import { floorPosition, isFloorPosition } from "./floor.ts";
import type { Head } from "./ledger-rows.ts";
import type { MachineStorage } from "./machine-storage.ts";

const JOURNAL_LEDGER = "replayed from";
/** Set by a step of the storage. */
const COMPLETE_FROM = "complete from";

/** The events before this instant are not in the journal any more: no event that is accepted changes their results. */
export function forgottenTo(storage: MachineStorage): number {
  return storage.events.archivedTo();
}

/** The instant from which all events are kept (epoch ms); 0: always. An older version forgot what was before it. */
export function recalculableFrom(storage: MachineStorage): number {
  return storage.value<number>(COMPLETE_FROM) ?? 0;
}

/** The ledger before the first event, for a time without a checkpoint before it; null: events of that time may not be kept. */
export function firstLedger(storage: MachineStorage, history: SettingsHistory): Head | null {
  return recalculableFrom(storage) === 0 ? { pos: "", ledger: startLedger(history) } : null;
}

/**
 * The ledger from which the events from a position on can be replayed, which is not before the books are closed.
 * @param journal where the replay may begin at the earliest: with the events of the journal alone, after an archived time
 * @returns the first one after that position where those before it cannot be read; null: there is none
 */
export function checkpointFor(storage: MachineStorage, history: SettingsHistory, first: string, journal = ""): Head | null {
  const floor = floorPosition(storage.floor().at);
  const known = storage.ledger.checkpointBefore(first, journal > floor ? journal : floor);
  return known ?? (journal === "" ? firstLedger(storage, history) : null) ?? storage.ledger.checkpointFrom(first);
}

/** The position of the checkpoint from which the events of the journal can be replayed. Those before it need events of the archived days. */
export function journalLedger(storage: MachineStorage): string {
  return storage.value<string>(JOURNAL_LEDGER) ?? "";
}

/** Settings that ended before this instant are needed only for what people do to shifts of the past. */
export function settingsNeededFrom(storage: MachineStorage): number {
  return Math.max(0, forgottenTo(storage) - MAX_SHIFT_MS);
}

/**
 * Moves the events of UTC days that no late event can change any more from the journal to the rows of the days, a few days at a time, and deletes
 * what only their replay in the journal needed. The last checkpoint of each day stays: the next day can be replayed from it. Runs inside a
 * transaction.
 */
export function archiveDays(storage: MachineStorage, { calendar }: Configuration): void {
  // The checkpoints that a recalculation brings would not be thinned out.
  if (recalculationOf(storage)?.replay || storage.ledger.replaced()) return;
  const newest = storage.events.newestAt();
  if (newest === null || newest - LATE_LIMIT_MS - forgottenTo(storage) < DAY_MS) return;
  const oldest = storage.ledger.checkpointBefore(startOf(newest - LATE_LIMIT_MS), journalLedger(storage));
  if (!oldest || progressOf(storage).dirtyFrom !== null) return;
  const certain = coverableFrom(oldest.ledger.signal);
  const boundary = Math.min(calendar.at(certain)?.start ?? certain, timeOf(oldest.pos));
  const end = Math.floor(boundary / DAY_MS) * DAY_MS;
  if (end <= forgottenTo(storage)) return;
  const archivedTo = storage.events.archive(end);
  const ledger = checkpointOfEvents(storage, startOf(archivedTo));
  storage.ledger.thinCheckpoints(journalLedger(storage), ledger);
  storage.saveValue(JOURNAL_LEDGER, ledger);
  storage.forget(Math.min(archivedTo, undecidedFrom(oldest.ledger.signal)));
}

/** The position of the last checkpoint before another one, apart from those where books were closed: these go when the books are reopened. */
function checkpointOfEvents(storage: MachineStorage, before: string): string {
  const pos = storage.ledger.checkpointBefore(before)?.pos ?? "";
  return isFloorPosition(pos) ? checkpointOfEvents(storage, pos) : pos;
}
