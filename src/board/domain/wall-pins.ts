import type { Row } from "../../client/live-protocol.ts";
import { SECOND_MS } from "./time.ts";
import { lacksCause } from "./urgency.ts";
import { pinSize } from "./wall-layout.ts";

// What a wall has on each of its pages, because somebody is needed now.

/** For this long a new call is the first of all, so that it is seen at once, however many there are. */
const NEW_CALL_MS = 30 * SECOND_MS;

/** Whether a machine is pinned: it calls for help, or stands without a cause. */
function isPinned(row: Row): boolean {
  return row.helpCall !== null || lacksCause(row);
}

/** The pinned machines: calls, then stops without a cause, the oldest first. */
export function pinsOf<T extends Row>(rows: readonly T[], now: number): T[] {
  const since = ({ helpCall, since: at }: T) => Date.parse(helpCall?.since ?? at ?? "") || 0;
  const rank = (row: T) => (row.helpCall === null ? 2 : now - since(row) < NEW_CALL_MS ? 0 : 1);
  // Of several new calls, the newest first.
  const age = (row: T) => (rank(row) === 0 ? -since(row) : since(row));
  return rows.filter(isPinned).sort((a, b) => rank(a) - rank(b) || age(a) - age(b));
}

/**
 * As many of the first items as fit whole into a height, in font sizes, and what is left of it.
 * @param linesOf the lines that an item needs
 */
export function fittingPins<T>(items: readonly T[], room: number, linesOf: (item: T) => number): { shown: T[]; left: number } {
  const shown: T[] = [];
  let left = room;
  for (const item of items) {
    const size = pinSize(linesOf(item));
    if (size > left) break;
    left -= size;
    shown.push(item);
  }
  return { shown, left };
}
