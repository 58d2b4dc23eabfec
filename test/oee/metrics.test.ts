import { expect, test } from "vitest";
import {
  type ProductionInputs,
  productionMetrics,
  shiftIndicators,
  toHundredths,
  toMinutes,
  toPercent,
} from "../../src/oee/metrics.ts";
import { nothingMade } from "../../src/oee/production.ts";
import { sumSegments } from "../../src/oee/shift-ledger.ts";
import { unitsOf } from "../../src/oee/sums.ts";
import { HOUR_MS, MINUTE_MS } from "./support.ts";

const nothing = sumSegments([], 0, null);
const noInputs: ProductionInputs = { ...nothingMade, standardCycleMs: null, recentUnits: 0, recentMs: 0 };

test("a half is rounded up, even if binary fractions make it slightly too small", () => {
  expect([7500, 60_300, 299, 300, 301].map(toMinutes)).toEqual([0.13, 1.01, 0, 0.01, 0.01]);
  expect([0.00005, 0.772727, 1.00005, 0].map(toPercent)).toEqual([0.01, 77.27, 100.01, 0]);
});

test("whole numbers are rounded half up from unrounded factors", () => {
  const sums = { ...nothing, availableMs: 169 * MINUTE_MS, nonProgrammedMs: 31 * MINUTE_MS };
  const made = {
    ...noInputs,
    cycles: 1,
    totalUnits: 1000,
    defectUnits: 5,
    idealMs: 143.65 * MINUTE_MS,
    lostByDefectsMs: 2.5 * MINUTE_MS,
  };
  expect(productionMetrics(sums, made)).toMatchObject({
    availability: 85,
    effectiveness: 85,
    quality: 100,
    // 0.845 x 0.85 x 0.995; with rounded factors it would be 72.
    oee: 71,
    minutesLostByLowQuality: 3,
    minutesLostByLowSpeed: 25,
  });
});

test("every zero denominator gives 0, and the quality of a shift without production is 100 %", () => {
  expect(Object.values(shiftIndicators(nothing, true)).every((value) => value === 0)).toBe(true);
  const { quality, ...others } = productionMetrics(nothing, noInputs);
  expect(quality).toBe(100);
  expect(Object.values(others).every((value) => value === 0)).toBe(true);
});

test("effectiveness is not capped; lost minutes and quality are never below zero", () => {
  const sums = { ...nothing, availableMs: HOUR_MS };
  const made = { ...noInputs, cycles: 720, cyclesWithStandard: 720, totalUnits: 10, defectUnits: 12, idealMs: 2 * HOUR_MS };
  expect(productionMetrics(sums, made)).toMatchObject({
    effectiveness: 200,
    minutesLostByLowSpeed: 0,
    quality: 0,
    correct: -2,
    oee: 0,
  });
  expect(productionMetrics(sums, { ...made, defectUnits: 0 })).toMatchObject({ oee: 200, netOee: 200, cycleSpeed: 360 });
});

test("the standard speed of a shift is 0 if all its cycles were of a SKU without a standard, whatever SKU is in work now", () => {
  const made = { ...noInputs, cycles: 40, totalUnits: 40, standardCycleMs: 25_000 };
  expect(productionMetrics(nothing, made).cycleSpeed).toBe(0);
  expect(productionMetrics(nothing, { ...made, cycles: 0, totalUnits: 0 }).cycleSpeed).toBe(144);
});

test("8.325 minutes are 8.33 everywhere, although the binary fraction is slightly smaller", () => {
  expect([
    toMinutes(8.325 * 60_000),
    toHundredths(8.325),
    unitsOf({ totalUnits: 0, defectUnits: 0, targetUnits: 8.325 }).target,
  ]).toEqual([8.33, 8.33, 8.33]);
});
