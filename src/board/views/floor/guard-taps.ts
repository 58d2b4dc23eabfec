import { isFallThrough, type Tap } from "../../model/tap-guard.ts";

/** Ignores clicks that are the second tap of a double tap on something that is gone. Returns a function that ends this. */
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
