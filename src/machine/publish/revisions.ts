import { recordId } from "../../core/record-id.ts";
import { CLOSED_AFTER_MS } from "../../db/closed-shifts.ts";
import type { RevisionBody } from "../../db/values.ts";
import { productionMetrics, shiftIndicators } from "../../oee/metrics.ts";
import type { ShiftOccurrence } from "../../oee/shifts.ts";
import { isoOf } from "../../oee/time.ts";
import { startOf } from "../inputs/ledger-position.ts";
import { recordSeq } from "../ledger/sequences.ts";
import { both, lateEvents } from "../ledger/why.ts";
import { mayBeSent } from "./outbox.ts";
import { type ProjectionContext, put, type RecordChange, type StopChange } from "./projection.ts";
import type { ProjectionRow } from "./projection-rows.ts";
import type { RecordRow, RevisionRow, StopRow } from "./published-rows.ts";

// What a computation changed of shifts that were closed for good. All changes of a shift since the last flush are one revision.

/** The most stops that a revision names. */
const MOST_STOPS = 20;
/** The most revisions of a shift: further changes are added to the last one. */
const MOST_REVISIONS = 1000;

type Change = RevisionBody;
type Shift = Pick<ShiftOccurrence, "start" | "end">;

const nothing = (): Change => ({
  before: {},
  after: {},
  stops: [],
  stopCount: 0,
  arePartsChanged: false,
  isRosterChanged: false,
});

/** Collects what a computation changes of closed shifts. Create it before anything is put. */
export class Revisions {
  readonly #context: ProjectionContext;
  /** The shifts that were closed when the computation began, by start; null: it was not, or it is not known. */
  readonly #closed = new Map<number, { shift: Shift; change: Change } | null>();

  /** @param computed the shifts whose records are computed */
  constructor(context: ProjectionContext, computed: readonly Shift[]) {
    this.#context = context;
    for (const shift of computed) this.#ofClosed(shift);
  }

  addRecord(shift: Shift, { old, row }: RecordChange): void {
    const closed = this.#ofClosed(shift);
    if (!closed || !old) return;
    const [before, after] = [membersOf(old), membersOf(row)];
    for (const member of Object.keys(after)) {
      if (before[member] === after[member]) continue;
      closed.change.before[member] = before[member] ?? null;
      closed.change.after[member] = after[member] ?? null;
    }
  }

  addParts(shift: Shift): void {
    const closed = this.#ofClosed(shift);
    if (closed) closed.change.arePartsChanged = true;
  }

  addRoster(shift: Shift): void {
    const closed = this.#ofClosed(shift);
    if (closed) closed.change.isRosterChanged = true;
  }

  addStops(changes: readonly StopChange[]): void {
    for (const { old, row } of changes) {
      const closed = this.#ofClosed({ start: row.shiftStart, end: row.shiftEnd });
      const [before, after] = [old && shownOf(old), shownOf(row)];
      if (closed && JSON.stringify(before) !== JSON.stringify(after)) addStop(closed.change, { id: row.id, before, after });
    }
  }

  /** Puts the revisions of the shifts that changed. */
  put(): void {
    for (const closed of this.#closed.values()) if (closed && !isNothing(closed.change)) putRevision(this.#context, closed);
  }

  #ofClosed(shift: Shift): { shift: Shift; change: Change } | null {
    const known = this.#closed.get(shift.start);
    if (known !== undefined) return known;
    const closed = isClosed(this.#context, shift) ? { shift, change: nothing() } : null;
    this.#closed.set(shift.start, closed);
    return closed;
  }
}

function isClosed({ storage, now }: ProjectionContext, { start, end }: Shift): boolean {
  if (now < end + CLOSED_AFTER_MS) return false;
  const known = storage.projection.get("record", String(start));
  const record = known && (JSON.parse(known.body) as RecordRow | null);
  return record !== null && record.openBucket === null;
}

/** The members of a record in the API. */
export function membersOf(row: RecordRow): Record<string, number> {
  const record = { unitsWithoutTime: 0, ...row } as Parameters<typeof shiftIndicators>[0] &
    Parameters<typeof productionMetrics>[1];
  // Both have percentages of the same names: those of the indicators have decimals.
  return { ...productionMetrics(record, record), ...shiftIndicators(record, true) };
}

/** What reports show of a stop; null: it is deleted. */
function shownOf(row: StopRow): RevisionBody["stops"][number]["after"] {
  if (row.deletedAt !== null) return null;
  const { name, isProgrammed, isIncludedInStops, isIncludedInAvailability } = row;
  const { description, generalCauseId, specificCauseId, componentId } = row;
  return {
    ...{ startTime: isoOf(row.sliceStart), endTime: isoOf(row.sliceEnd) },
    ...{ name, isProgrammed, isIncludedInStops, isIncludedInAvailability },
    ...{ description, generalCauseId, specificCauseId, componentId },
  };
}

/** Adds a changed stop. One that was changed before keeps what it was then, and is left out if it is that again. */
function addStop(change: Change, stop: RevisionBody["stops"][number]): void {
  const known = change.stops.findIndex(({ id }) => id === stop.id);
  const first = change.stops[known];
  if (!first) {
    change.stopCount += 1;
    if (change.stops.length < MOST_STOPS) change.stops.push(stop);
    return;
  }
  const changed = { ...first, after: stop.after };
  const isBack = JSON.stringify(changed.before) === JSON.stringify(changed.after);
  if (!isBack) change.stops[known] = changed;
  else {
    change.stops.splice(known, 1);
    change.stopCount -= 1;
  }
}

function isNothing({ after, stopCount, arePartsChanged, isRosterChanged }: Change): boolean {
  return Object.keys(after).length === 0 && stopCount === 0 && !arePartsChanged && !isRosterChanged;
}

function putRevision(context: ProjectionContext, { shift, change }: { shift: Shift; change: Change }): void {
  const { storage, identity, why = lateEvents } = context;
  const { machineId, companyId } = identity;
  const last = storage.projection.startingWith("revision", `${startOf(shift.start)}:`).at(-1);
  const known = last && (JSON.parse(last.body) as RevisionRow);
  const isAdded = known !== undefined && (known.n >= MOST_REVISIONS || !mayBeSent(storage, last as ProjectionRow));
  const body = isAdded ? together(known.body, change) : change;
  const { reasons, by } = isAdded ? both({ reasons: known.reasons, by: authorOf(known) }, why) : why;
  const n = isAdded ? known.n : (known?.n ?? 0) + 1;
  const row: RevisionRow = {
    recordId: recordId(machineId, recordSeq(storage, shift.start)),
    ...{ n, companyId, machineId, shiftStart: shift.start, shiftEnd: shift.end, reasons: [...reasons], body },
    ...{ userId: by?.userId ?? null, apiTokenId: by?.apiTokenId ?? null, requestId: by?.requestId ?? null },
  };
  put<RevisionRow>(context, "revision", `${startOf(shift.start)}:${String(n).padStart(6, "0")}`, shift.end, row);
}

function authorOf({ userId, apiTokenId, requestId }: RevisionRow) {
  return userId === null || userId === undefined ? null : { userId, apiTokenId: apiTokenId ?? null, requestId: requestId ?? "" };
}

/** Two changes, one after the other, as one. */
function together(earlier: RevisionBody, later: Change): Change {
  const before = { ...later.before, ...earlier.before };
  const after = { ...earlier.after, ...later.after };
  for (const member of Object.keys(after)) {
    if (before[member] !== after[member]) continue;
    delete before[member];
    delete after[member];
  }
  const stops = { ...nothing(), stops: [...earlier.stops], stopCount: earlier.stopCount };
  for (const stop of later.stops) addStop(stops, stop);
  return {
    ...{ before, after, stops: stops.stops, stopCount: stops.stopCount },
    arePartsChanged: earlier.arePartsChanged || later.arePartsChanged,
    isRosterChanged: earlier.isRosterChanged || later.isRosterChanged,
  };
}
