import { timeOf } from "../inputs/ledger-position.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";

/** How far the projection has followed the ledger. */
interface Settled {
  /** The rows of shifts that end after this are stale; null: only those that time itself has changed. */
  dirtyFrom: number | null;
  /** The rows are correct as of this instant; null: there are none yet. */
  settledAt: number | null;
  /** When the computation of the rows began, while it takes more than one alarm. */
  settlingSince: number | null;
  /** Whether D1 needs the rows soon, because something more than counts happened. Undefined: no. */
  isUrgent?: boolean;
}

const KEY = "settled";
const NEW: Settled = { dirtyFrom: null, settledAt: null, settlingSince: null };

export function settled(storage: MachineStorage): Readonly<Settled> {
  return storage.value<Settled>(KEY) ?? NEW;
}

/** Marks the rows of shifts that end after an instant as stale. */
export function markDirty(storage: MachineStorage, from: number): void {
  const state = settled(storage);
  if (state.dirtyFrom === null || from < state.dirtyFrom) storage.saveValue(KEY, { ...state, dirtyFrom: from });
}

/** Makes the next flush come soon, because something more than counts happened. */
export function markUrgent(storage: MachineStorage): void {
  storage.urgencies += 1;
  const state = settled(storage);
  if (!state.isUrgent) storage.saveValue(KEY, { ...state, isUrgent: true });
}

/** Resets the urgency once D1 has everything. */
export function unmarkUrgent(storage: MachineStorage): void {
  const state = settled(storage);
  if (state.isUrgent) storage.saveValue(KEY, { ...state, isUrgent: false });
}

/**
 * Records that rows were computed as of `now`.
 * @param restFrom start of the rows that are still stale; null: all were computed
 */
export function markSettled(storage: MachineStorage, now: number, restFrom: number | null): void {
  const state = settled(storage);
  const since = state.settlingSince ?? now;
  const next: Settled =
    restFrom === null
      ? { ...state, dirtyFrom: null, settledAt: since, settlingSince: null }
      : { ...state, dirtyFrom: restFrom, settlingSince: since, isUrgent: true };
  // If only time has passed, this may be lost: the same rows can be computed again.
  const isTimeAlone = restFrom === null && state.dirtyFrom === null && state.settlingSince === null && state.settledAt !== null;
  if (isTimeAlone) storage.noteValue(KEY, next);
  else storage.saveValue(KEY, next);
}

/** The rows of shifts that end after this are not all computed, because computing them takes more than one alarm; infinity: all are. */
export function computedUntil(storage: MachineStorage): number {
  const { settlingSince, dirtyFrom } = settled(storage);
  return settlingSince === null || dirtyFrom === null ? Number.POSITIVE_INFINITY : dirtyFrom;
}

/** The latest instant as of which anything was computed; 0 before the first event. */
export function reckonedTo(storage: MachineStorage): number {
  const { settledAt, settlingSince } = settled(storage);
  return Math.max(settledAt ?? 0, settlingSince ?? 0, timeOf(storage.head()?.pos ?? ""));
}
