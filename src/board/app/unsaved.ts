import { type ReadonlySignal, signal } from "@preact/signals";

// Forms with entries that are not saved. Before such a form is left, the page asks: within a view with a dialog of its own, otherwise with the
// browser's.

const unsaved = new Set<symbol>();
const waiting = signal<(() => void) | null>(null);

/** What was to be done when a form was about to be left; null: nothing. The page then asks. */
export const leaving: ReadonlySignal<(() => void) | null> = waiting;

/** Notes whether a form has entries that are not saved. */
export function markUnsaved(form: symbol, isUnsaved: boolean): void {
  if (isUnsaved) unsaved.add(form);
  else unsaved.delete(form);
}

/** Leaves what is shown: at once, or once the person has said so. Returns whether it was left. */
export function leave(go: () => void): boolean {
  if (unsaved.size > 0) {
    waiting.value = go;
    return false;
  }
  go();
  return true;
}

/** The person's answer: leaves without saving, or stays. */
export function answerLeaving(isLeaving: boolean): void {
  const go = waiting.peek();
  waiting.value = null;
  if (!isLeaving) return;
  unsaved.clear();
  go?.();
}

addEventListener("beforeunload", (event) => {
  if (unsaved.size > 0) event.preventDefault();
});
