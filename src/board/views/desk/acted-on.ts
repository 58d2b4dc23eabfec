import { signal } from "@preact/signals";
import type { Place } from "../../domain/actions.ts";

/** The loss that somebody is about to act on: its key, where it is, and the days on which it was seen. */
interface ActedOn extends Place {
  /** Null: not chosen yet. */
  lossKey: string | null;
  /** Its name, in case it is a cause that was deleted. */
  name: string;
  /** ISO dates, both included; null: the last days. */
  days: { first: string; last: string } | null;
}

/** What the form for a new action is open with; null: it is closed. The desk has the form, so that it stays when the list changes from which it was opened. */
export const actedOn = signal<ActedOn | null>(null);
