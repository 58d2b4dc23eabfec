import { DAY_MS } from "../../oee/time.ts";
import { COUNTS_EVERY_MS, FLUSH_EVERY_MS } from "../alarms.ts";
import { isAskedOver } from "../ledger/asked-recalculations.ts";
import { markUrgent, progressOf, unmarkUrgent } from "../ledger/progress.ts";
import { isLarge, recalculationOf, type Touched } from "../ledger/recalculation.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import type { ProjectionRow } from "./projection-rows.ts";

// The rows of the projection that D1 does not have yet. A row leaves the outbox once D1 has it, or once D1 refused it: then it
// is parked. A parked row waits for its next change, or for `republish`.

/** The pause between flushes is doubled with each failure, up to this. */
const MAX_PAUSE_MS = 5 * 60_000;

/** The rows and bytes after which a flush ends with the shift that it has begun. */
const ROWS_PER_FLUSH = 2000;
const BYTES_PER_FLUSH = 1_000_000;
/** The most rows and bytes of one flush: a bound value of D1 holds 2 MB. Only a shift that has more is sent in several. */
const MOST_ROWS = 8000;
const MOST_BYTES = 1_800_000;
/** Rows of shifts that ended longer ago are of the past. */
const PAST_MS = 2 * DAY_MS;

interface OutboxState {
  /** When the last flush began. */
  flushedAt: number;
  /** Number of the last flush. */
  revision: number;
  /** The number of flushes that failed since the last success. */
  failures: number;
  /**
   * The number of the last flush that kept what it replaced (replaced-rows.ts). If it is not that of the last flush, the version that is rolled back to
   * sent some. Undefined: there was none.
   */
  keptTo?: number;
}

/** The data about the machine that others were last sent, apart from its rows. */
interface SentState {
  /** The version of the set-up that the object follows, as D1 knows it. */
  configVersion: number;
  /** Whether D1 knows that an event came. */
  isHeard: boolean;
  /** The number of parked rows, as `/health` knows it. */
  parkedRows: number;
  /** The number of rows that cannot be read, as `/health` knows it. Undefined: none. */
  unreadableRows?: number;
  /** The time that D1 knows to be recalculated. Undefined or null: none. */
  recalculated?: Touched | null;
}

const KEY = "outbox";
const NEW: OutboxState = { flushedAt: 0, revision: 0, failures: 0 };
/** A stored key: it keeps its name, because two versions of the service may share the storage. */
const SENT_KEY = "told";
const NOTHING_SENT: SentState = { configVersion: 0, isHeard: false, parkedRows: 0 };

/** The state of the last flush. */
export function lastFlush(storage: MachineStorage): Readonly<OutboxState> {
  return storage.value<OutboxState>(KEY) ?? NEW;
}

export function sentState(storage: MachineStorage): Readonly<SentState> {
  return storage.value<SentState>(SENT_KEY) ?? NOTHING_SENT;
}

export function saveSentState(storage: MachineStorage, change: Partial<SentState>): void {
  storage.saveValue(SENT_KEY, { ...sentState(storage), ...change });
}

/** The kinds of rows that are more than counts: D1 gets them soon. */
const urgentKinds: readonly ProjectionRow["kind"][] = [
  ...(["stop", "event", "condition", "audit", "held", "correction", "withdrawal", "orphan"] as const),
];

/** Adds a row of the projection to the outbox. A new version of a parked row is tried again. */
export function enqueue(storage: MachineStorage, row: ProjectionRow): void {
  if (urgentKinds.includes(row.kind)) markUrgent(storage);
  storage.waiting.add(row);
  storage.deleteParked(row);
}

/** Whether the health object does not have the present numbers of parked and of unreadable rows. */
export function isTroubleNew(storage: MachineStorage): boolean {
  const { parkedRows, unreadableRows = 0 } = sentState(storage);
  return storage.countParked() !== parkedRows || storage.unreadable.count !== unreadableRows;
}

/** Adds the whole projection to the outbox, parked rows too, to be sent with revisions after `revision`. */
export function enqueueAll(storage: MachineStorage, revision: number): void {
  const state = lastFlush(storage);
  const next = Math.max(state.revision, revision);
  storage.saveValue(KEY, { ...state, revision: next, ...(isHistoryKept(storage) && { keptTo: next }) });
  storage.addAllToOutbox();
  markUrgent(storage);
}

/**
 * The rows of the next flush: oldest shift first, and in each shift the stops before the record. Rows of the past come after all others: a
 * recalculation makes many. All rows of a shift are in one flush, so that reports never see its stops without its record.
 * @param until rows that cover later times are left out: they are not computed yet
 */
export function nextRows(storage: MachineStorage, now: number, until = Number.POSITIVE_INFINITY): ProjectionRow[] {
  const rows: ProjectionRow[] = [];
  let bytes = 0;
  let shiftFrom = 0;
  const to = Math.min(until, Number.MAX_SAFE_INTEGER);
  for (const { bytes: size, ...row } of storage.rowsToSend(MOST_ROWS, now - PAST_MS, to)) {
    if (!isOfSameShift(rows.at(-1), row)) shiftFrom = rows.length;
    bytes += size;
    const isFull = rows.length >= ROWS_PER_FLUSH || bytes > BYTES_PER_FLUSH;
    if (isFull && shiftFrom > 0) return rows.slice(0, shiftFrom);
    if (bytes > MOST_BYTES && rows.length > 0) break;
    rows.push(row);
  }
  return rows;
}

/** The rows of a shift end with it. Audit entries and conditions, which are sent first, and events, which are sent last, are of no shift. */
function isOfSameShift(before: ProjectionRow | undefined, { until }: ProjectionRow): boolean {
  return before?.until === until && until !== 0 && until !== Number.MAX_SAFE_INTEGER;
}

/** Whether D1 may have a row in some version, even if it did not confirm it: a flush began after the row was made. */
export function mayBeSent(storage: MachineStorage, { madeAfter }: ProjectionRow): boolean {
  return madeAfter < lastFlush(storage).revision;
}

/** Returns the number of a new flush. From now on D1 may have the waiting rows. */
export function nextRevision(storage: MachineStorage, now: number): number {
  const state = lastFlush(storage);
  const revision = state.revision + 1;
  storage.saveValue(KEY, { ...state, revision, flushedAt: now, ...(isHistoryKept(storage) && { keptTo: revision }) });
  return revision;
}

/** Whether all flushes so far kept what they replaced, or D1 knows since when they do. */
export function isHistoryKept(storage: MachineStorage): boolean {
  const { revision, keptTo = 0 } = lastFlush(storage);
  return revision === keptTo;
}

/** Removes rows that D1 has now. Rows that changed meanwhile stay. Events are sent once, so they are deleted. */
export function removeSent(storage: MachineStorage, rows: readonly ProjectionRow[]): void {
  for (const row of rows) {
    if (row.kind === "event") storage.deleteProjectionRow(row);
    else storage.waiting.remove(row);
  }
}

/** Parks a row that D1 refused: sending it again would not help. */
export function park(storage: MachineStorage, row: ProjectionRow, error: string, now: number): void {
  storage.park(row, error, now);
  storage.waiting.remove(row);
}

/** Records that a flush failed. */
export function failFlush(storage: MachineStorage): void {
  const state = lastFlush(storage);
  storage.saveValue(KEY, { ...state, failures: state.failures + 1 });
}

/**
 * Records that a flush succeeded.
 * @param urgencies the storage's `urgencies` when it began: urgent changes since then may not be in it
 */
export function endFlush(storage: MachineStorage, urgencies: number): void {
  const state = lastFlush(storage);
  storage.saveValue(KEY, { ...state, failures: 0, keptTo: state.revision });
  const isAll = storage.urgencies === urgencies && progressOf(storage).settlingSince === null && !storage.waiting.isAny();
  if (isAll) unmarkUrgent(storage);
}

/** The time of the next flush, if there is anything to send. */
export function nextFlushAt(storage: MachineStorage): number {
  const { flushedAt, failures } = lastFlush(storage);
  const { isUrgent, settledAt } = progressOf(storage);
  // A recalculation waits for D1: a pause after each of its flushes would make it take hours.
  const recalculation = recalculationOf(storage);
  const isKnown = Boolean(sentState(storage).recalculated);
  const isUnderWay = recalculation !== null && (recalculation.shifts !== null || (isLarge(recalculation) && !isKnown));
  const isSoon = isUnderWay || (recalculation === null && isKnown) || isAskedOver(storage);
  if (failures === 0 && isSoon) return flushedAt;
  if (failures === 0 && !isUrgent) {
    // Without waiting rows, D1 is correct as of the last time that rows were computed. A stopped machine has none for a long time.
    const rightAt = storage.waiting.isAny() ? flushedAt : Math.max(flushedAt, settledAt ?? 0);
    return rightAt + COUNTS_EVERY_MS;
  }
  return flushedAt + Math.min(FLUSH_EVERY_MS * 2 ** Math.max(0, failures - 1), MAX_PAUSE_MS);
}
