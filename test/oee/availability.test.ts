import { describe, expect, it } from "vitest";
import { availabilityChanges, type RecordedShift, type RecordedStop } from "../../src/oee/availability.ts";

// Times are in minutes here: nothing depends on the unit.

const always = { start: 0, end: Number.POSITIVE_INFINITY };
const shift = (start: number, end: number, ...noDataSpans: [number, number | null][]): RecordedShift => ({
  start,
  end,
  noDataSpans,
});
const stop = (shiftStart: number, start: number, end: number, kind: "N" | "P" | "O" = "N"): RecordedStop => ({
  shiftStart,
  start,
  end,
  isProgrammed: kind === "P",
  isIncludedInAvailability: kind !== "O",
});
/** `0A 10N`: A from 0, N from 10. */
const changes = (
  window: [number, number],
  shifts: RecordedShift[],
  stops: RecordedStop[] = [],
  service: { start: number; end: number } = always,
) => {
  const found = availabilityChanges({ start: window[0], end: window[1] }, service, shifts, stops);
  return found.map(({ at, status }) => `${at}${status}`).join(" ");
};

describe("availabilityChanges", () => {
  it("is U outside shifts, A in them", () => {
    expect(changes([0, 100], [])).toBe("0U");
    expect(changes([0, 100], [shift(20, 60)])).toBe("0U 20A 60U");
    expect(changes([20, 60], [shift(20, 60)])).toBe("20A");
    expect(changes([0, 100], [shift(20, 40), shift(40, 60)])).toBe("0U 20A 60U");
  });

  it("begins with the status in force", () => {
    const stops = [stop(0, 10, 30, "P")];
    expect(changes([15, 50], [shift(0, 60)], stops)).toBe("15P 30A");
    expect(changes([30, 50], [shift(0, 60)], stops)).toBe("30A");
    expect(changes([29, 30], [shift(0, 60)], stops)).toBe("29P");
  });

  it("has stops by kind, and silence", () => {
    const stops = [stop(0, 10, 20), stop(0, 20, 25, "P"), stop(0, 30, 40, "O")];
    expect(changes([0, 60], [shift(0, 60, [40, 50])], stops)).toBe("0A 10N 20P 25A 30O 40D 50A");
  });

  it("merges neighbours of one status, across the edge of a shift too", () => {
    const stops = [stop(0, 10, 20), stop(0, 20, 30), stop(0, 50, 60), stop(60, 60, 70)];
    expect(changes([0, 120], [shift(0, 60), shift(60, 120)], stops)).toBe("0A 10N 30A 50N 70A");
  });

  it("keeps a stop whatever the silence", () => {
    expect(changes([0, 60], [shift(0, 60, [10, 50])], [stop(0, 20, 30)])).toBe("0A 10D 20N 30D 50A");
  });

  it("extends open silence to the end of its shift", () => {
    expect(changes([0, 100], [shift(0, 60, [10, 20], [50, null])])).toBe("0A 10D 20A 50D 60U");
    expect(changes([0, 55], [shift(0, 60, [50, null])])).toBe("0A 50D");
  });

  it("has nothing before the machine's service, nor after it", () => {
    expect(changes([0, 100], [shift(0, 60)], [stop(0, 10, 30)], { start: 20, end: 50 })).toBe("0U 20N 30A 50U");
    expect(changes([0, 100], [shift(0, 60)], [], { start: 70, end: 80 })).toBe("0U");
  });

  it("has no gap and no overlap if records overlap", () => {
    expect(changes([0, 100], [shift(0, 60), shift(50, 90)], [stop(50, 55, 70)])).toBe("0A 60N 70A 90U");
  });
});
