import { SECOND_MS } from "../../oee/time.ts";
import { startOf, timeOf } from "../inputs/ledger-position.ts";
import type { Head } from "../storage/ledger-rows.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { openPart } from "./books-door.ts";
import { both, lateEvents, type Why } from "./why.ts";

// What is to be recalculated, and how far that is: recalculate.ts does it.

/**
 * The events and rows after which a step ends, the rows that it moves, the days whose shifts it computes, how many steps an alarm does, and how many a
 * small recalculation takes. The platform's clock stands still inside a step, so it cannot be bounded by time. Tests lower them.
 */
export const stepBounds = { events: 10_000, rows: 300, moved: 1000, days: 1, stepsPerAlarm: 40, stepsOfSmall: 20 };

/** More events may come that change the same time. */
const PAUSE_MS = 10 * SECOND_MS;

/** The time in which events or their meaning changed (epoch ms), both included. */
export interface Touched {
  from: number;
  until: number;
  /** The numbers of the recalculations that people asked for, which it is a part of. Undefined: none. */
  asked?: readonly number[];
}

export interface Recalculation extends Touched {
  /** When it may begin. */
  dueAt: number;
  /** What it began with; null: it has not begun. */
  begun: { pos: string; changedFrom: number } | null;
  /** The recalculated ledger; null: it has not begun, or it counts already. */
  replay: Head | null;
  /** The shifts that are to be computed, once the recalculated rows count; `until` null: up to now. */
  shifts: { from: number; until: number | null } | null;
  /** What changed after the recalculated rows count. */
  next: Touched | null;
  /** How many steps were done. Undefined: an older version began it. */
  steps?: number;
  /** Why. Undefined: because of late events. */
  why?: Why;
}

const KEY = "recalculation";

export function recalculationOf(storage: MachineStorage): Readonly<Recalculation> | null {
  return storage.value<Recalculation>(KEY);
}

export function saveRecalculation(storage: MachineStorage, state: Recalculation | null): void {
  storage.saveValue(KEY, state);
}

/**
 * Whether a recalculation does so much that its company allows only a few of them at a time, and that readers see it. Which ones do turns out
 * while they are done.
 */
export function isLarge({ steps = 0 }: Recalculation): boolean {
  return steps >= stepBounds.stepsOfSmall;
}

/** Requests that a time is recalculated, as far as its books are open. Runs inside a transaction. */
export function requestRecalculation(
  storage: MachineStorage,
  asked: Touched,
  now: number,
  pauseMs = PAUSE_MS,
  added: Why = lateEvents,
): void {
  const state = recalculationOf(storage);
  const touched = openPart(storage, asked);
  const { from, until } = touched;
  const why = both(state?.why, added);
  if (!state) {
    saveRecalculation(storage, { ...touched, dueAt: now + pauseMs, begun: null, replay: null, shifts: null, next: null, why });
    return;
  }
  if (state.shifts) {
    const next = state.next ?? touched;
    const times = { from: Math.min(next.from, from), until: Math.max(next.until, until) };
    saveRecalculation(storage, { ...state, why, next: { ...times, ...askedIn(next, touched) } });
    return;
  }
  saveRecalculation(storage, { ...state, why, until: Math.max(state.until, until), ...askedIn(state, touched) });
  goBack(storage, startOf(from));
}

/** Has a recalculation that has not begun wait: more of what it is for is coming. Runs inside a transaction. */
export function postponeRecalculation(storage: MachineStorage, until: number): void {
  const state = recalculationOf(storage);
  if (state && !state.begun) saveRecalculation(storage, { ...state, dueAt: Math.max(state.dueAt, until) });
}

/** Lets a recalculation begin that was postponed. Runs inside a transaction. */
export function hastenRecalculation(storage: MachineStorage, now: number): void {
  const state = recalculationOf(storage);
  if (state && !state.begun) saveRecalculation(storage, { ...state, dueAt: Math.min(state.dueAt, now) });
}

function askedIn(...parts: Touched[]): Pick<Touched, "asked"> {
  const asked = [...new Set(parts.flatMap((part) => part.asked ?? []))];
  return asked.length > 0 ? { asked } : {};
}

/** Notes that the ledger went back before an event, which is new or means something else. Runs inside a transaction. */
export function noteRewound(storage: MachineStorage, first: string): void {
  if (recalculationOf(storage)?.replay) goBack(storage, first);
}

/** Takes the recalculation back to before an event that it has passed. */
function goBack(storage: MachineStorage, first: string): void {
  const state = recalculationOf(storage);
  if (!state) return;
  if (state.begun && first > (state.replay?.pos ?? "")) return;
  const checkpoint = state.begun && first > state.begun.pos ? storage.recalculated.checkpointBefore(first) : null;
  if (checkpoint) {
    storage.recalculated.takeBack(checkpoint.pos);
    saveRecalculation(storage, { ...state, replay: checkpoint });
    return;
  }
  storage.recalculated.deleteAll();
  saveRecalculation(storage, { ...state, from: Math.min(state.from, timeOf(first)), begun: null, replay: null });
}
