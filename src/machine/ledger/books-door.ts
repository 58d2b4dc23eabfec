import { isoOf } from "../../oee/time.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";

/** What is asked of the past. */
export interface PastChange {
  /** The first instant that it may change (epoch ms). */
  from: number;
  /** Events that were sent wait until the books are open again. A person is told at once, and so is the service, which asks before it acts for one. */
  by: "events" | "person";
}

/** What became of it. */
export type Door = { is: "open" } | { is: "held" } | { is: "refused"; message: string };

const open: Door = { is: "open" };

/**
 * Decides whether an input may change the past. Everything that a machine takes in from outside asks here before it changes anything, whatever it is: a
 * new way to change the past does, too. What the machine computes by itself begins where the books end: `openSince`.
 */
export function openFrom(storage: MachineStorage, { from, by }: PastChange): Door {
  const { at, to } = storage.floor();
  if (from >= at) return open;
  if (by === "events") return { is: "held" };
  return { is: "refused", message: closedUntil(to) };
}

/** Where an input that has to be refused says why; null: it is open. */
export function refusalOfPast(storage: MachineStorage, from: number): string | null {
  const door = openFrom(storage, { from, by: "person" });
  return door.is === "refused" ? door.message : null;
}

/** The first instant of a time that may be computed: not before the books are closed. */
export function openSince(storage: MachineStorage, from: number): number {
  return Math.max(from, storage.floor().at);
}

function closedUntil(to: number): string {
  return `The books are closed up to ${isoOf(to)}: nothing before that changes until an admin reopens them.`;
}
