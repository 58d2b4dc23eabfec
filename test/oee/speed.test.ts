import { describe, expect, test } from "vitest";
import type { Segment } from "../../src/oee/shift-ledger.ts";
import { isSlow, measuredTime, shortStops } from "../../src/oee/speed.ts";
import type { Piece, StopFacts } from "../../src/oee/timeline.ts";
import { at, MINUTE_MS } from "./support.ts";

const facts: StopFacts = {
  isManual: false,
  isProgrammed: false,
  isIncludedInAvailability: true,
  breakName: null,
  isAnnotated: false,
};

function stop(start: string, end: string, said: Partial<StopFacts> = {}): Piece {
  return { start: at(start), end: at(end), kind: "stop", stop: { ...facts, ...said } };
}

function segment(start: string, end: string, bucket: Segment["bucket"] = "available"): Segment {
  return { start: at(start), end: at(end), bucket, isAnnotated: false };
}

describe("short stops", () => {
  const now = at("10:00");

  test.each<[what: string, piece: Piece, isOne: boolean]>([
    ["of under five minutes", stop("09:30", "09:34:59"), true],
    ["of five minutes", stop("09:30", "09:35"), false],
    ["that ends now", stop("09:58", "10:00"), true],
    ["that has not ended", stop("09:58", "10:01"), false],
    ["that ended an hour ago", stop("08:58", "09:00"), false],
    ["that ended less than an hour ago", stop("08:58", "09:00:01"), true],
    ["that was planned", stop("09:30", "09:32", { isProgrammed: true }), false],
    ["outside availability", stop("09:30", "09:32", { isIncludedInAvailability: false }), false],
    ["that is running time", { start: at("09:30"), end: at("09:32"), kind: "available", stop: null }, false],
  ])("one %s counts: %s", (_what, piece, isOne) => {
    expect(shortStops([piece], now)).toEqual(isOne ? [piece] : []);
  });
});

describe("the time over which a speed is measured", () => {
  const segments = [segment("06:00", "06:30"), segment("06:30", "06:40", "nonProgrammed"), segment("06:40", "06:44")];
  const whole = { start: at("06:00"), end: at("06:44") };

  test("is the last ten minutes of running", () => {
    expect(measuredTime(segments, 10_000, whole)).toEqual([
      { start: at("06:40"), end: at("06:44") },
      { start: at("06:24"), end: at("06:30") },
    ]);
  });

  test("is ten standard cycles if these take longer", () => {
    expect(measuredTime(segments, 2 * MINUTE_MS, whole)).toEqual([
      { start: at("06:40"), end: at("06:44") },
      { start: at("06:14"), end: at("06:30") },
    ]);
  });

  test("lies between the beginning of the SKU and the newest event", () => {
    expect(measuredTime(segments, 10_000, { start: at("06:28"), end: at("06:41") })).toEqual([
      { start: at("06:40"), end: at("06:41") },
      { start: at("06:28"), end: at("06:30") },
    ]);
    // None of the running time before the SKU.
    expect(measuredTime(segments, 10_000, { start: at("06:32"), end: at("06:44") })).toEqual([
      { start: at("06:40"), end: at("06:44") },
    ]);
  });

  test("is empty before ten standard cycles", () => {
    expect(measuredTime(segments, 18_001, { start: at("06:28"), end: at("06:41") })).toEqual([]);
    expect(measuredTime(segments, 18_000, { start: at("06:28"), end: at("06:41") })).toHaveLength(2);
    expect(measuredTime([], 10_000, whole)).toEqual([]);
  });
});

describe("a machine that runs", () => {
  const tenMinutes = [{ start: at("06:00"), end: at("06:10") }];

  test.each<[units: number, shortStopCount: number, expected: boolean]>([
    [48, 0, false],
    [47, 0, true],
    [60, 5, false],
    [60, 6, true],
  ])("is slow with %i of 60 units and %i short stops: %s", (units, shortStopCount, expected) => {
    expect(isSlow(tenMinutes, units, 10_000, shortStopCount)).toBe(expected);
  });

  test("is not slow while its speed cannot be measured, unless by its stops", () => {
    expect(isSlow([], 0, 10_000, 5)).toBe(false);
    expect(isSlow([], 0, 10_000, 6)).toBe(true);
  });
});
