import { describe, expect, it } from "vitest";
import { endsOf, figuresAt, forecastShareAt, isDoubtful, oeeOf, sumOf, trendOf } from "../../../src/board/domain/extrapolate.ts";
import { plantNow } from "../../../src/board/domain/plant-now.ts";
import { now, row, rowOutsideShifts, stopWithoutCause } from "./rows.ts";

const minute = 60_000;

describe("the figures of a row", () => {
  it("are those of the API at its instant, including the OEE", () => {
    const figures = figuresAt(row(1), now);
    expect(figures).toEqual({
      ...{ availableTime: 100, unavailableTime: 20, noDataTime: 0, lateStartTime: 5, idealTime: 80 },
      ...{ total: 600, defects: 60, target: 720 },
    });
    expect(figures && oeeOf(figures)).toBeCloseTo(60, 10);
  });

  it.each([
    ["A", { availableTime: 110, unavailableTime: 20, noDataTime: 0 }],
    ["N", { availableTime: 100, unavailableTime: 30, noDataTime: 0 }],
    ["P", { availableTime: 100, unavailableTime: 30, noDataTime: 0 }],
    ["O", { availableTime: 100, unavailableTime: 20, noDataTime: 0 }],
    ["D", { availableTime: 100, unavailableTime: 20, noDataTime: 10 }],
  ] as const)("grow by the minutes of status %s, and by the target", (status, grown) => {
    expect(figuresAt(row(1, { status }), now + 10 * minute)).toMatchObject({ ...grown, target: 780, lateStartTime: 5 });
    expect(figuresAt(row(1, { status, targetPerHour: 0 }), now + 10 * minute)?.target).toBe(720);
  });

  it("add to a late start while the machine has not run yet", () => {
    const late = { status: "N", availableTime: 0, unavailableTime: 5, lateStartTime: 5 } as const;
    expect(figuresAt(row(1, late), now + 2 * minute)).toMatchObject({ lateStartTime: 7, unavailableTime: 7 });
  });

  it("stop growing at the end of the shift, and never shrink if the clock is behind", () => {
    expect(figuresAt(row(1), now + 100 * 60 * minute)).toMatchObject({ availableTime: 100 + 360, target: 720 + 6 * 360 });
    expect(figuresAt(row(1), now - minute)).toEqual(figuresAt(row(1), now));
  });

  it("are null outside shifts, and for an unreachable machine", () => {
    expect(figuresAt(rowOutsideShifts(1), now)).toBeNull();
    expect(figuresAt(row(1, { isReachable: false, asOf: null }), now)).toBeNull();
    expect(plantNow([rowOutsideShifts(1)], now)).toMatchObject({ figures: null, oee: null, shift: null });
  });
});

describe("the forecast of a row", () => {
  // 115 scheduled minutes so far, 360 more: 600 units become 2,478 of 2,880.
  it("is that of the API at its instant, and falls with each scheduled minute in which nothing is counted", () => {
    expect(endsOf(row(1), now)).toEqual({ forecast: 2477.83, targetAtEnd: 2880 });
    expect(forecastShareAt(row(1), now)).toBeCloseTo(0.8604, 4);
    for (const status of ["A", "N"] as const)
      expect(endsOf(row(1, { status }), now + 10 * minute)?.forecast).toBeCloseTo((2477.83 * 115) / 125, 6);
    for (const status of ["P", "O", "D"] as const) expect(endsOf(row(1, { status }), now + 10 * minute)?.forecast).toBe(2477.83);
    expect(endsOf(row(1), now + 100 * 60 * minute)?.forecast).toBeCloseTo((2477.83 * 115) / 475, 6);
  });

  it("is none outside shifts, without a standard, early in a shift, and of an older service", () => {
    expect(endsOf(rowOutsideShifts(1), now)).toBeNull();
    expect(forecastShareAt(row(1, { targetAtEnd: null }), now)).toBeNull();
    expect(forecastShareAt(row(1, { forecast: null }), now)).toBeNull();
    const { forecast, targetAtEnd, ...older } = row(1);
    expect(forecastShareAt(older as ReturnType<typeof row>, now)).toBeNull();
  });

  it.each([
    [1.006, 5, "ahead"],
    [1.004, 5, "even"],
    [1.1, -5, "even"],
    [0.97, -5, "even"],
    [0.964, -5, "behind"],
    [0.9, 5, "even"],
    [null, -900, "even"],
  ] as const)("of %s of the target with %s units of difference is %s", (share, difference, trend) => {
    expect(trendOf(share, difference)).toBe(trend);
  });

  it("is added up for a plant, of the machines that have one", () => {
    const rows = [row(1), row(2, { forecast: 3000 }), row(3, { forecast: null })];
    expect(plantNow(rows, now).forecastShare).toBeCloseTo((2477.83 + 3000) / (2 * 2880), 6);
    expect(plantNow([row(3, { forecast: null })], now).forecastShare).toBeNull();
  });
});

describe("OEE", () => {
  it("comes from summed minutes, never from averaged percentages", () => {
    const small = row(1, { availableTime: 10, unavailableTime: 0, idealTime: 10, total: 10, defects: 0 });
    const large = row(2, { availableTime: 30, unavailableTime: 60, idealTime: 30, total: 90, defects: 0 });
    expect(plantNow([small, large], now).oee).toBeCloseTo(40, 10);
  });

  it("counts quality by units, is 0 without available time, and null without counted time", () => {
    const figures = sumOf([]);
    expect(oeeOf(figures)).toBeNull();
    expect(oeeOf({ ...figures, unavailableTime: 5 })).toBe(0);
    expect(oeeOf({ ...figures, availableTime: 5, idealTime: 5 })).toBe(100);
    expect(oeeOf({ ...figures, availableTime: 5, idealTime: 5, total: 4, defects: 5 })).toBe(0);
  });

  it("is doubtful where much more was made than fits into the running time", () => {
    expect(isDoubtful({ availableTime: 60, idealTime: 90 })).toBe(false);
    expect(isDoubtful({ availableTime: 60, idealTime: 91 })).toBe(true);
    // The device reports so seldom that the machine never runs; and a shift that has only begun.
    expect(isDoubtful({ availableTime: 0, idealTime: 11 })).toBe(true);
    expect(isDoubtful({ availableTime: 1, idealTime: 10 })).toBe(false);
  });
});

describe("a plant", () => {
  it("counts its machines by state", () => {
    const rows = [
      row(1),
      row(2, { isSlow: true }),
      row(3, { status: "N", stop: stopWithoutCause }),
      row(4, { status: "P" }),
      row(5, { status: "O" }),
      row(6, { status: "O", plannedUntil: "2026-11-20T10:30:00.000Z" }),
      row(7, { status: "D" }),
      row(8, { status: null, isReachable: false, asOf: null }),
      rowOutsideShifts(9),
    ];
    const { counts } = plantNow(rows, now);
    expect(counts).toEqual({ running: 1, slow: 1, stopped: 1, planned: 2, outside: 1, noData: 2, off: 1 });
  });

  it("shows the shift of most machines, and says if others have another one", () => {
    const { shift } = row(1);
    if (!shift) throw new Error("The row has no shift");
    const evening = { ...shift, id: 2, name: "Evening" };
    const rows = [row(1, { shift: evening }), row(2), row(3)];
    expect(plantNow(rows, now)).toMatchObject({
      shift: { name: "Morning", start: Date.parse(shift.startTime), end: Date.parse(shift.endTime) },
      hasOtherShifts: true,
    });
    expect(plantNow([row(2), row(3)], now).hasOtherShifts).toBe(false);
  });
});
