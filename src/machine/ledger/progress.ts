import { timeOf } from "../inputs/ledger-position.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { both, type Why } from "./why.ts";

/** How far the projection has followed the ledger. The key and the members have older names: two versions of the service may share the storage. */
interface Progress {
  /** The rows of shifts that end after this are stale; null: only those that time itself has changed. */
  dirtyFrom: number | null;
  /** The rows are correct as of this instant; null: there are none yet. */
  settledAt: number | null;
  /** When the computation of the rows began, while it takes more than one alarm. */
  settlingSince: number | null;
  /** Whether D1 needs the rows soon, because something more than counts happened. Undefined: no. */
  isUrgent?: boolean;
  /** Why the rows are stale. Undefined: because of events. */
  why?: Why;
}

const KEY = "settled";
const NEW: Progress = { dirtyFrom: null, settledAt: null, settlingSince: null };

export function progressOf(storage: MachineStorage): Readonly<Progress> {
  return storage.value<Progress>(KEY) ?? NEW;
}

/** Marks the rows of shifts that end after an instant as stale. */
export function markDirty(storage: MachineStorage, from: number): void {
  const state = progressOf(storage);
  if (state.dirtyFrom === null || from < state.dirtyFrom) storage.saveValue(KEY, { ...state, dirtyFrom: from });
}

/** Marks exactly the rows of shifts that end after an instant as stale. */
export function markDirtyAgain(storage: MachineStorage, from: number): void {
  storage.saveValue(KEY, { ...progressOf(storage), dirtyFrom: from, settlingSince: null });
}

/** Notes why rows are stale, for the revisions of closed shifts that they are of. */
export function noteWhy(storage: MachineStorage, why: Why): void {
  const state = progressOf(storage);
  storage.saveValue(KEY, { ...state, why: both(state.why, why) });
}

/** Makes the next flush come soon, because something more than counts happened. */
export function markUrgent(storage: MachineStorage): void {
  storage.urgencies += 1;
  const state = progressOf(storage);
  if (!state.isUrgent) storage.saveValue(KEY, { ...state, isUrgent: true });
}

/** Resets the urgency once D1 has everything. */
export function unmarkUrgent(storage: MachineStorage): void {
  const state = progressOf(storage);
  if (state.isUrgent) storage.saveValue(KEY, { ...state, isUrgent: false });
}

/**
 * Records that rows were computed as of `now`.
 * @param restFrom start of the rows that are still stale; null: all were computed
 */
export function markComputed(storage: MachineStorage, now: number, restFrom: number | null): void {
  const state = progressOf(storage);
  const since = state.settlingSince ?? now;
  const { why: _, ...rest } = state;
  const next: Progress =
    restFrom === null
      ? { ...rest, dirtyFrom: null, settledAt: since, settlingSince: null }
      : { ...state, dirtyFrom: restFrom, settlingSince: since, isUrgent: true };
  // If only time has passed, this may be lost: the same rows can be computed again.
  const isTimeAlone = restFrom === null && state.dirtyFrom === null && state.settlingSince === null && state.settledAt !== null;
  if (isTimeAlone) storage.noteValue(KEY, next);
  else storage.saveValue(KEY, next);
}

/** The rows of shifts that end after this are not all computed, because computing them takes more than one alarm; infinity: all are. */
export function computedUntil(storage: MachineStorage): number {
  const { settlingSince, dirtyFrom } = progressOf(storage);
  return settlingSince === null || dirtyFrom === null ? Number.POSITIVE_INFINITY : dirtyFrom;
}

/** The latest instant as of which anything was computed; 0 before the first event. */
export function computedAsOf(storage: MachineStorage): number {
  const { settledAt, settlingSince } = progressOf(storage);
  return Math.max(settledAt ?? 0, settlingSince ?? 0, timeOf(storage.head()?.pos ?? ""));
}
