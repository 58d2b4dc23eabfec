import { closedBooksText } from "../../core/closed-books.ts";
import type { PlainRefusal } from "../../objects/machine-protocol.ts";
import { minOf } from "../../oee/extremes.ts";
import type { Interval } from "../../oee/time.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";

// Decides whether an input may change the past. Everything that a machine takes in from outside asks here before it changes anything, whatever it is: a
// new way to change the past does, too. What the machine computes by itself begins where the books end.

/** Whether the books are open from an instant on. Events of before that are held; people are refused (`refusalOfPast`). */
export function isOpenFrom(storage: MachineStorage, from: number): boolean {
  return from >= storage.floor().at;
}

/** The refusal of a change from an instant on, because the books of that time are closed; null: they are open. */
export function refusalOfPast(storage: MachineStorage, from: number): (PlainRefusal & { closedTo: number }) | null {
  if (isOpenFrom(storage, from)) return null;
  const closedTo = storage.floor().to;
  return { refused: "conflict", message: closedBooksText(closedTo), closedTo };
}

/** The first instant of a time that may be computed: not before the books are closed. */
export function openSince(storage: MachineStorage, from: number): number {
  return Math.max(from, storage.floor().at);
}

/** What of a time may be computed. */
export function openPart<T extends { from: number; until: number }>(storage: MachineStorage, time: T): T {
  const from = openSince(storage, time.from);
  return { ...time, from, until: Math.max(from, time.until) };
}

const WAITING_FROM = "waiting from";

/** Notes that earlier edits of these times count again, because a later one was taken back. In closed books they take effect when the books are reopened. */
export function noteReleased(storage: MachineStorage, times: readonly Interval[]): void {
  const from = minOf(times.map(({ start }) => start));
  if (!isOpenFrom(storage, from)) storage.saveValue(WAITING_FROM, Math.min(from, waitingFrom(storage)));
}

/** Where the earliest edit begins that waits for the books to be reopened; infinity: none waits. */
export function waitingFrom(storage: MachineStorage): number {
  return storage.value<number>(WAITING_FROM) ?? Number.POSITIVE_INFINITY;
}

/** Forgets the waiting edits if all of them are in the time from an instant on, which has been computed. */
export function noteComputed(storage: MachineStorage, from: number): void {
  if (waitingFrom(storage) >= from) storage.saveValue(WAITING_FROM, null);
}
