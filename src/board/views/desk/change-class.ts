/** A change of fewer points than this is ordinary, and not coloured. */
const ORDINARY_POINTS = 1;

/** The colour of a change in points: more is worse for a loss, and better for good time. */
export function changeClass(change: number | null, isLoss: boolean): string | undefined {
  if (change === null || Math.abs(change) < ORDINARY_POINTS) return;
  return change > 0 === isLoss ? "worse" : "better";
}
