import type { MachineLedger } from "../../oee/machine.ts";
import { startLedger } from "../../oee/machine.ts";
import { coverableFrom } from "../../oee/signal.ts";
import { DAY_MS } from "../../oee/time.ts";
import { advanceInto } from "../inputs/advance.ts";
import { startOf, timeOf } from "../inputs/ledger-position.ts";
import { nextFlushAt } from "../publish/outbox.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { Head } from "../storage/ledger-rows.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { recalculableFrom } from "../storage/retention.ts";
import { DamagedDay } from "../storage/stored-days.ts";
import { noteChangedRecords, noteFailed } from "./asked-recalculations.ts";
import { markDirty, noteWhy } from "./progress.ts";
import { computeChangedShifts, publishWindow } from "./publish-shifts.ts";
import { type Recalculation, recalculationOf, requestRecalculation, saveRecalculation, stepBounds } from "./recalculation.ts";
import { lateEvents } from "./why.ts";

// A recalculation makes the ledger of a past time anew, from the checkpoint before it, in steps that are bounded by counts. Meanwhile the machine
// goes on as ever: the recalculated rows are a set of their own, which counts in place of the old one, all at once, when the recalculation has
// caught up: with the newest folded event, or with a checkpoint that it reaches in exactly the same state. Then the shifts of that time are
// computed and sent to D1, again in steps. Each step is a transaction with its progress, so that a crash repeats at most one.

/** The time before now whose shifts are left to the usual computation, which follows the clock. */
const RECENT_MS = 2 * DAY_MS;
/** How many rows may wait for D1 before the shifts of more days are computed. */
const MOST_WAITING = 4000;

/** When the next step is due (epoch ms); null: none is. */
export function recalculationDueAt(storage: MachineStorage, now: number): number | null {
  const state = recalculationOf(storage);
  if (!state) return null;
  if (awaitsFlush(storage)) return Math.max(now, nextFlushAt(storage));
  return state.begun ? now : state.dueAt;
}

/** Whether so many rows wait for D1 that the next step waits for a flush: without that, they would become ever more. */
export function awaitsFlush(storage: MachineStorage): boolean {
  return Boolean(recalculationOf(storage)?.shifts) && storage.waiting.isMoreThan(MOST_WAITING);
}

/**
 * Does the next step. Runs inside a transaction.
 * @param configuration with all settings of the past
 * @param head the ledger of now
 */
export function recalculate(storage: MachineStorage, configuration: Configuration, head: Head, now: number): void {
  const before = recalculationOf(storage);
  if (!before) return;
  const state = { ...before, steps: (before.steps ?? 0) + 1 };
  if (!state.begun) begin(storage, configuration, state);
  else if (state.replay) replayOrLeave(storage, configuration, { state, begun: state.begun, from: state.replay, head });
  else if (storage.ledger.moveReplaced(stepBounds.moved)) saveRecalculation(storage, state);
  else computeShiftsOf(storage, configuration, { state, head, now });
}

function begin(storage: MachineStorage, { history }: Configuration, state: Recalculation): void {
  const first = startOf(state.from);
  const isAllKept = recalculableFrom(storage) === 0;
  const checkpoint =
    storage.ledger.checkpointBefore(first) ??
    (isAllKept ? { pos: "", ledger: startLedger(history) } : storage.ledger.checkpointFrom(first));
  storage.recalculated.deleteAll();
  // It needs events that are not kept: what is stored stays.
  if (!checkpoint) {
    noteFailed(storage, state);
    saveRecalculation(storage, null);
    return;
  }
  const changedFrom = Math.max(Math.min(state.from, coverableFrom(checkpoint.ledger.signal)), history[0].commissionedAt);
  saveRecalculation(storage, { ...state, begun: { pos: checkpoint.pos, changedFrom }, replay: checkpoint });
}

interface Replay {
  state: Recalculation;
  begun: NonNullable<Recalculation["begun"]>;
  from: Head;
  head: Head;
}

/** Replays, unless a day cannot be read: then all rows stay as they are up to its end, and the recalculation begins again after it. */
function replayOrLeave(storage: MachineStorage, configuration: Configuration, work: Replay): void {
  try {
    replay(storage, configuration, work);
  } catch (error) {
    if (!(error instanceof DamagedDay)) throw error;
    const [from, { until }] = [(error.day + 1) * DAY_MS, work.state];
    storage.recalculated.deleteAll();
    saveRecalculation(storage, from <= until ? { ...work.state, from, begun: null, replay: null } : null);
  }
}

function replay(storage: MachineStorage, { history, calendar }: Configuration, { state, begun, from, head }: Replay): void {
  const rows = storage.recalculated;
  const ledger = structuredClone(from.ledger) as MachineLedger;
  let { pos } = from;
  let [events, made] = [0, 0];
  const known = checkpointsAfter(storage, pos);
  let checkpoint = known.next().value;
  const fold = advanceInto(rows, ledger, history, calendar, () => {
    made += 1;
  });
  for (const next of storage.events.after(pos, timeOf(head.pos))) {
    if (next.pos > head.pos) break;
    pos = next.pos;
    fold(next);
    events += 1;
    while (checkpoint !== undefined && checkpoint < pos) checkpoint = known.next().value;
    const { at } = next.event;
    const isKnown = checkpoint === pos;
    if (isKnown && at > state.until && isSameAt(storage, { pos, ledger })) {
      count(storage, state, begun, { to: pos, until: at + 1 });
      return;
    }
    const isFull = events >= stepBounds.events || made >= stepBounds.rows;
    if (isKnown || isFull) rows.addCheckpoint({ pos, ledger }, at);
    if (isFull) {
      saveRecalculation(storage, { ...state, replay: { pos, ledger } });
      return;
    }
  }
  storage.saveHead({ pos, ledger });
  count(storage, state, begun, { to: pos, until: null });
}

/** Makes the recalculated rows count. */
function count(
  storage: MachineStorage,
  state: Recalculation,
  { pos, changedFrom }: NonNullable<Recalculation["begun"]>,
  { to, until }: { to: string; until: number | null },
): void {
  storage.ledger.replaceBy({ after: pos, to });
  storage.ledger.moveReplaced(stepBounds.moved);
  saveRecalculation(storage, { ...state, replay: null, shifts: { from: changedFrom, until } });
}

function* checkpointsAfter(storage: MachineStorage, pos: string): Generator<string> {
  const limit = 500;
  for (let after = pos; ; ) {
    const positions = storage.ledger.checkpointsAfter(after, limit);
    yield* positions;
    if (positions.length < limit) return;
    after = positions.at(-1) ?? after;
  }
}

/** Whether the ledger is that of the checkpoint at its position. */
function isSameAt(storage: MachineStorage, { pos, ledger }: Head): boolean {
  const checkpoint = storage.ledger.checkpointFrom(pos);
  return checkpoint?.pos === pos && JSON.stringify(checkpoint.ledger) === JSON.stringify(ledger);
}

function computeShiftsOf(
  storage: MachineStorage,
  configuration: Configuration,
  { state, head, now }: { state: Recalculation; head: Head; now: number },
): void {
  const { from, until } = state.shifts ?? { from: state.from, until: null };
  const { why = lateEvents } = state;
  const end = Math.min(until ?? now, from + stepBounds.days * DAY_MS);
  if (end >= now - RECENT_MS) {
    // The usual computation follows the clock.
    markDirty(storage, from);
    noteWhy(storage, why);
    noteChangedRecords(storage, state, computeChangedShifts(storage, configuration, head, now));
    finish(storage, state, now);
    return;
  }
  const done = publishWindow(storage, configuration, head, { start: from, end }, now, why);
  noteChangedRecords(storage, state, done.changed);
  if (until !== null && done.until >= until) finish(storage, state, now);
  else saveRecalculation(storage, { ...state, shifts: { from: done.until, until } });
}

function finish(storage: MachineStorage, { next, why }: Recalculation, now: number): void {
  saveRecalculation(storage, null);
  if (next) requestRecalculation(storage, next, now, 0, why);
}
