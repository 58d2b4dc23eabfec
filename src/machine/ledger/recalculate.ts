import { DAY_MS } from "../../oee/time.ts";
import { nextFlushAt } from "../publish/outbox.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { Head } from "../storage/ledger-rows.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { noteChangedRecords, noteFailed } from "./asked-recalculations.ts";
import { markDirty, markUrgent, noteWhy } from "./progress.ts";
import { computeChangedShifts, publishWindow } from "./publish-shifts.ts";
import { type Recalculation, recalculationOf, requestRecalculation, saveRecalculation, stepBounds } from "./recalculation.ts";
import { replayStep } from "./replay.ts";
import { lateEvents } from "./why.ts";

// A recalculation makes the ledger of a past time anew, from the checkpoint before it, in steps that are bounded by counts. Meanwhile the machine
// goes on as ever: the recalculated rows are a set of their own, which counts in place of the old one, all at once, when the recalculation has
// caught up: with the newest folded event, or with a checkpoint that it reaches in exactly the same state. Then the shifts of that time are
// computed and sent to D1, again in steps. Each step is a transaction with its progress, so that a crash repeats at most one.

/** The time before now whose shifts are left to the usual computation, which follows the clock. */
export const RECENT_MS = 2 * DAY_MS;
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
  if (!state.begun || state.replay) replay(storage, configuration, state, head);
  else if (storage.ledger.moveReplaced(stepBounds.moved)) saveRecalculation(storage, state);
  else computeShiftsOf(storage, configuration, { state, head, now });
}

/** Replays, and once that has ended makes the recalculated rows count. */
function replay(storage: MachineStorage, configuration: Configuration, state: Recalculation, head: Head): void {
  const step = replayStep(storage, configuration, state, head);
  if ("on" in step) saveRecalculation(storage, step.on);
  else if ("replayed" in step) {
    const { range, head: replayed, changedFrom, until } = step.replayed;
    if (replayed) storage.saveHead(replayed);
    storage.ledger.replaceBy(range);
    storage.writeSpansAgain(range.after);
    storage.ledger.moveReplaced(stepBounds.moved);
    saveRecalculation(storage, { ...state, replay: null, shifts: { from: changedFrom, until } });
  } else {
    if (step.over === "forgotten") noteFailed(storage, state);
    saveRecalculation(storage, null);
  }
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
  // Without this, numbers that changed alone would be sent when those of counts are, minutes later.
  if (storage.waiting.isAny()) markUrgent(storage);
  if (next) requestRecalculation(storage, next, now, 0, why);
}
