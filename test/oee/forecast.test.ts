import { describe, expect, it } from "vitest";
import { forecastOf } from "../../src/oee/forecast.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/oee/time.ts";

const at = (hours: number) => hours * HOUR_MS;
const lunch = { start: at(12), end: at(12.5), name: "Lunch", isIncludedInAvailability: false };
/** From 8 to 16, with half an hour of lunch: seven and a half hours to work. */
const shift = { shiftId: 1, start: at(8), end: at(16), breaks: [lunch] };
/** 600 units an hour. */
const targetPerMs = 600 / HOUR_MS;
/** Two hours: 90 minutes available, 30 not; 900 units of 1,200. */
const soFar = {
  sums: { availableMs: 90 * MINUTE_MS, nonProgrammedMs: 30 * MINUTE_MS },
  ...{ total: 900, targetUnits: 1200, targetPerMs },
};

describe("the forecast of a shift", () => {
  it("has the units of its whole scheduled time, without the breaks to come", () => {
    // 450 units an hour, stops included, for 5.5 hours more.
    expect(forecastOf(soFar, shift, at(10))).toEqual({ targetAtEnd: 4500, forecast: 900 + 5.5 * 450 });
  });

  it("leaves out the rest of a break that has begun, in which the target does not grow", () => {
    const inLunch = { ...soFar, sums: { availableMs: 3 * HOUR_MS, nonProgrammedMs: HOUR_MS }, targetUnits: 2400, targetPerMs: 0 };
    const { targetAtEnd, forecast } = forecastOf(inLunch, shift, at(12.25));
    expect(targetAtEnd).toBeCloseTo(2400 + 3.5 * 600, 6);
    expect(forecast).toBeCloseTo(900 + 3.5 * 225, 6);
  });

  it("is what was made once the shift is over", () => {
    expect(forecastOf(soFar, shift, at(16))).toEqual({ targetAtEnd: 1200, forecast: 900 });
    expect(forecastOf(soFar, shift, at(17))).toEqual({ targetAtEnd: 1200, forecast: 900 });
  });

  it("falls while nothing is made", () => {
    const later = { ...soFar, sums: { ...soFar.sums, nonProgrammedMs: 60 * MINUTE_MS }, targetUnits: 1500 };
    expect(forecastOf(later, shift, at(10.5)).forecast).toBe(900 + 5 * 360);
    expect(forecastOf(later, shift, at(10.5)).targetAtEnd).toBe(4500);
  });

  it("is not known in the first quarter of an hour, and has no target without a standard", () => {
    const early = { ...soFar, sums: { availableMs: 15 * MINUTE_MS - 1, nonProgrammedMs: 0 }, total: 150, targetUnits: 150 };
    expect(forecastOf(early, shift, at(8.25))).toMatchObject({ forecast: null });
    const known = { ...early, sums: { availableMs: 15 * MINUTE_MS, nonProgrammedMs: 0 } };
    expect(forecastOf(known, shift, at(8.25)).forecast).toBeCloseTo(4500, 6);
    expect(forecastOf({ ...soFar, targetUnits: 0, targetPerMs: 0 }, shift, at(10)).targetAtEnd).toBeNull();
  });
});
