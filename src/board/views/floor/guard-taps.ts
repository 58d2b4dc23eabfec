import { isFallThrough, type Tap } from "../../domain/tap-guard.ts";

/** Ignores the second tap of a double tap if the first one replaced what was tapped. Returns a function that stops ignoring them. */
export function guardTaps(): () => void {
  let first: Tap<Element> | null = null;
  const guard = (event: MouseEvent) => {
    const { target, clientX: x, clientY: y, timeStamp: at, detail } = event;
    // Keys click, too: without a place, and the focus has moved away from what is gone.
    if (detail === 0 || !(target instanceof Element)) return;
    const tap = { target: target.closest("button, a, summary, label") ?? target, x, y, at };
    if (isFallThrough(first, tap)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    first = tap;
  };
  addEventListener("click", guard, { capture: true });
  return () => removeEventListener("click", guard, { capture: true });
}
