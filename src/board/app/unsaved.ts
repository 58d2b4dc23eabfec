import { type ReadonlySignal, signal } from "@preact/signals";

// Forms with unsaved entries. Before such a form is left, the user is asked: within a view by a dialog of the board, otherwise by the
// browser's own.

const unsaved = new Set<symbol>();
const waiting = signal<(() => void) | null>(null);

/** What waits for the user to confirm that a form is left; null: nothing. */
export const leaving: ReadonlySignal<(() => void) | null> = waiting;

/** Notes whether a form has unsaved entries. */
export function markUnsaved(form: symbol, isUnsaved: boolean): void {
  if (isUnsaved) unsaved.add(form);
  else unsaved.delete(form);
}

/** Runs `go`, which leaves the shown page: at once, or after the user has confirmed it, if a form has unsaved entries. Returns whether it ran at once. */
export function leave(go: () => void): boolean {
  if (unsaved.size > 0) {
    waiting.value = go;
    return false;
  }
  go();
  return true;
}

/** The user's answer: leave without saving, or stay. */
export function answerLeaving(isLeaving: boolean): void {
  const go = waiting.peek();
  waiting.value = null;
  // Forms that are gone then are no longer unsaved; those that stay still are.
  if (isLeaving) go?.();
}

addEventListener("beforeunload", (event) => {
  if (unsaved.size > 0) event.preventDefault();
});
