import type { Interval } from "../../oee/time.ts";
import { startOf, timeOf } from "../inputs/ledger-position.ts";

/** Where a machine's books are closed. What lies before `at` is data that nothing computes any more. */
export interface Floor {
  /** Nothing before it changes (epoch ms). It is in no shift, or the start of one. 0: everything is open. */
  at: number;
  /** Up to when the books of the company are closed. */
  to: number;
  /** The time line before it is as it was when the books were closed. After a reopening it is later than `at`, until that time has been replayed. */
  spansFrom: number;
}

export const NO_FLOOR: Readonly<Floor> = { at: 0, to: 0, spansFrom: 0 };

/** The position of the ledger at a floor: after all events before it, and before all others. No event has one like it. */
export function floorPosition(at: number): string {
  return at === 0 ? "" : `${startOf(at - 1)}~`;
}

export function isFloorPosition(pos: string): boolean {
  return pos !== "" && pos === floorPosition(timeOf(pos) + 1);
}

/** What of a span or another interval is not before an instant; nothing if all of it is. */
export function partFrom<I extends Interval>(interval: I, from: number): I[] {
  if (interval.start >= from) return [interval];
  return interval.end <= from ? [] : [{ ...interval, start: from }];
}
