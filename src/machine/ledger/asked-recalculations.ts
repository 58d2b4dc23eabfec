import type { RecalculationState } from "../../db/values.ts";
import { timeOf } from "../inputs/ledger-position.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { markUrgent, progressOf } from "./progress.ts";
import { type Recalculation, recalculationOf, requestRecalculation } from "./recalculation.ts";
import type { Why } from "./why.ts";

// The recalculations that people asked for. The machine remembers each until D1 knows that it is over, and says with its flushes how far it has come.

const KEY = "asked recalculations";

/** Why rows are computed again that somebody had recalculated. */
export const askedFor: Why = { reasons: ["recalculation"], by: null };

interface Asked {
  id: number;
  /** How many records of closed shifts it has changed. */
  changed: number;
  /** Whether it needs events that are not kept. */
  hasFailed: boolean;
  /** What D1 knows of it, as JSON; null: nothing yet. */
  sent: string | null;
}

/** How far a recalculation has come, as D1 gets it. */
export interface AskedProgress {
  id: number;
  state: RecalculationState;
  /** Up to when (epoch ms); null: it has not begun. */
  reachedAt: number | null;
  changed: number;
}

function allAsked(storage: MachineStorage): readonly Asked[] {
  return storage.value<Asked[]>(KEY) ?? [];
}

function saveAsked(storage: MachineStorage, asked: readonly Asked[]): void {
  storage.saveValue(KEY, asked.length > 0 ? asked : null);
}

/** Begins a recalculation that was asked for, unless it is known already, or has failed as all of its events are gone. Runs inside a transaction. */
export function askFor(storage: MachineStorage, id: number, { from, until }: { from: number; until: number }, now: number): void {
  const asked = allAsked(storage);
  if (asked.some((one) => one.id === id)) return;
  const hasFailed = from > until;
  saveAsked(storage, [...asked, { id, changed: 0, hasFailed, sent: null }]);
  if (!hasFailed) requestRecalculation(storage, { from, until, asked: [id] }, now, 0, askedFor);
  markUrgent(storage);
}

/** Counts records of closed shifts that a recalculation changed, for those that are a part of it. */
export function noteChangedRecords(
  storage: MachineStorage,
  { asked: ids = [] }: Pick<Recalculation, "asked">,
  changed: number,
): void {
  if (changed === 0 || ids.length === 0) return;
  const counted = allAsked(storage).map((one) => (ids.includes(one.id) ? { ...one, changed: one.changed + changed } : one));
  saveAsked(storage, counted);
}

/** Notes that a recalculation cannot be done, because events are missing. */
export function noteFailed(storage: MachineStorage, { asked: ids = [] }: Pick<Recalculation, "asked">): void {
  saveAsked(
    storage,
    allAsked(storage).map((one) => (ids.includes(one.id) ? { ...one, hasFailed: true } : one)),
  );
}

/**
 * What D1 does not know of recalculations yet.
 * @param rows how many rows the flush sends: one is over once D1 has all rows
 */
export function askedNews(storage: MachineStorage, rows: number): AskedProgress[] {
  const asked = allAsked(storage);
  if (asked.length === 0) return [];
  const isAllSent = progressOf(storage).dirtyFrom === null && !storage.waiting.isMoreThan(rows);
  return asked.map((one) => progressIn(storage, one, isAllSent)).filter((progress, i) => asked[i]?.sent !== textOf(progress));
}

/** Whether D1 does not know all of them as they are. */
export function isAskedNew(storage: MachineStorage): boolean {
  return askedNews(storage, 0).length > 0;
}

/** Whether one is over and D1 does not know. */
export function isAskedOver(storage: MachineStorage): boolean {
  const state = recalculationOf(storage);
  return allAsked(storage).some(({ id }) => !state?.asked?.includes(id) && !state?.next?.asked?.includes(id));
}

/** Records that D1 knows. Those that are over are forgotten. */
export function saveSent(storage: MachineStorage, sent: readonly AskedProgress[]): void {
  if (sent.length === 0) return;
  const known = new Map(sent.map((progress) => [progress.id, progress]));
  const isOver = ({ id }: Asked) => ["done", "failed"].includes(known.get(id)?.state ?? "");
  const rest = allAsked(storage).filter((one) => !isOver(one));
  saveAsked(
    storage,
    rest.map((one) => {
      const progress = known.get(one.id);
      return progress ? { ...one, sent: textOf(progress) } : one;
    }),
  );
}

function progressIn(storage: MachineStorage, { id, changed, hasFailed }: Asked, isAllSent: boolean): AskedProgress {
  const state = recalculationOf(storage);
  if (hasFailed) return { id, state: "failed", reachedAt: null, changed };
  if (state?.asked?.includes(id)) return { id, ...placeOf(state), changed };
  if (state?.next?.asked?.includes(id)) return { id, state: "waiting", reachedAt: null, changed };
  return { id, state: isAllSent ? "done" : "computing", reachedAt: null, changed };
}

function placeOf({ shifts, replay, from }: Recalculation): Pick<AskedProgress, "state" | "reachedAt"> {
  if (shifts) return { state: "computing", reachedAt: shifts.from };
  if (replay) return { state: "replaying", reachedAt: timeOf(replay.pos) || from };
  return { state: "waiting", reachedAt: null };
}

function textOf({ state, reachedAt, changed }: AskedProgress): string {
  return JSON.stringify([state, reachedAt, changed]);
}
