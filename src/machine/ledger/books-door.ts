import { closedBooksText } from "../../core/closed-books.ts";
import type { PlainRefusal } from "../../objects/machine-protocol.ts";
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
