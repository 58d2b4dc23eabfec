// The second tap of a double tap must not press what has appeared beneath the finger in the meantime.

const DOUBLE_TAP_MS = 500;
const SAME_PLACE_PX = 60;

export interface Tap<Target> {
  target: Target;
  x: number;
  y: number;
  /** In ms. */
  at: number;
}

/** Whether a tap is the second one of a double tap whose first one was on something else. A repeated tap on the same button is meant. */
export function isFallThrough<Target>(first: Tap<Target> | null, { target, x, y, at }: Tap<Target>): boolean {
  if (!first || first.target === target || at - first.at > DOUBLE_TAP_MS) return false;
  return Math.hypot(x - first.x, y - first.y) <= SAME_PLACE_PX;
}
