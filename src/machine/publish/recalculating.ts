import { progressOf } from "../ledger/progress.ts";
import { isLarge, recalculationOf, type Touched } from "../ledger/recalculation.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { sentState } from "./outbox.ts";

// What readers know of a recalculation: the time whose numbers are being made again. D1 has it before the first changed row is sent, and until all of
// them are. Small recalculations are over before anybody could read of them.

/** The time that a large recalculation makes again at present; null: there is none. Its end is not known before it has caught up. */
function recalculatedNow(storage: MachineStorage): Touched | null {
  const state = recalculationOf(storage);
  if (!state || !isLarge(state)) return null;
  const { from, until, begun, shifts } = state;
  const end = shifts ? (shifts.until ?? Number.MAX_SAFE_INTEGER) : until;
  return { from: Math.min(from, begun?.changedFrom ?? from), until: Math.max(until, end) };
}

/** What D1 knows of it; null: that there is none. */
function known(storage: MachineStorage): Touched | null {
  return sentState(storage).recalculated ?? null;
}

/** Whether numbers of the machine are being recalculated, as far as readers know. */
export function isRecalculating(storage: MachineStorage): boolean {
  return recalculatedNow(storage) !== null || known(storage) !== null;
}

/** Whether D1 does not know that numbers are being recalculated, or that they are not any more. */
export function isRecalculationNew(storage: MachineStorage): boolean {
  const [present, before] = [recalculatedNow(storage), known(storage)];
  return present ? !covers(before, present) : before !== null;
}

/**
 * What a flush tells D1 about it (null: there is none any more); undefined: D1 knows.
 * @param rows how many rows the flush sends
 */
export function recalculationNews(storage: MachineStorage, rows: number): Touched | null | undefined {
  const [present, before] = [recalculatedNow(storage), known(storage)];
  if (present) return covers(before, present) ? undefined : joined(before ?? present, present);
  const isOver = progressOf(storage).dirtyFrom === null && !storage.waiting.isMoreThan(rows);
  return before && isOver ? null : undefined;
}

function covers(before: Touched | null, { from, until }: Touched): boolean {
  return before !== null && before.from <= from && until <= before.until;
}

function joined(a: Touched, b: Touched): Touched {
  return { from: Math.min(a.from, b.from), until: Math.max(a.until, b.until) };
}
