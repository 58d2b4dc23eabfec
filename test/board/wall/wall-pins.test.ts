import { describe, expect, it } from "vitest";
import { fittingPins, pinsOf } from "../../../src/board/domain/wall-pins.ts";
import { isoOf, now, row, stopWithCause, stopWithoutCause } from "./rows.ts";

const minute = 60_000;
const call = (id: number, minutes: number) =>
  row(id, { helpCall: { id, since: isoOf(now - minutes * minute), message: null, calledBy: { id: 1, name: null } } });
const stop = (id: number, minutes: number) =>
  row(id, { status: "N", since: isoOf(now - minutes * minute), stop: stopWithoutCause });
const idsOf = (rows: { machine: { id: number } }[]) => rows.map(({ machine }) => machine.id);

describe("the pinned machines of a wall", () => {
  it("are calls, then stops without a cause, the oldest first, and no others", () => {
    const others = [row(1), row(2, { status: "N", stop: stopWithCause, since: isoOf(now) })];
    expect(idsOf(pinsOf([stop(3, 5), ...others, call(4, 1), stop(5, 50), call(6, 30)], now))).toEqual([6, 4, 5, 3]);
  });

  it("begin with a new call for half a minute", () => {
    const rows = [call(1, 30), call(2, 0.4)];
    expect(idsOf(pinsOf(rows, now))).toEqual([2, 1]);
    expect(idsOf(pinsOf(rows, now + 7000))).toEqual([1, 2]);
    expect(idsOf(pinsOf([call(1, 0.4), call(2, 0.2), call(3, 30)], now))).toEqual([2, 1, 3]);
  });

  it("are shown as far as they fit whole", () => {
    // Two lines and the edges are 2.82 font sizes.
    expect(fittingPins([1, 2, 3, 4], 9, () => 2)).toMatchObject({ shown: [1, 2, 3] });
    expect(fittingPins([1, 2, 3, 4], 9, (item) => (item === 2 ? 3 : 2))).toMatchObject({ shown: [1, 2] });
    expect(fittingPins([1, 2], 9, () => 2).left).toBeCloseTo(9 - 2 * 2.82, 6);
    expect(fittingPins([1], 1, () => 2)).toEqual({ shown: [], left: 1 });
  });
});
