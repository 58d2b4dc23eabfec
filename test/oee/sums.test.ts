import { expect, test } from "vitest";
import { addSums, figuresOf, noSums, unitsOf } from "../../src/oee/sums.ts";
import { HOUR_MS, MINUTE_MS } from "./support.ts";

const part = {
  ...noSums,
  availableMs: HOUR_MS,
  noDataMs: 4 * MINUTE_MS,
  programmedMs: 15 * MINUTE_MS,
  nonProgrammedMs: 20 * MINUTE_MS,
  otherMs: 3 * MINUTE_MS,
  annotatedMs: 5 * MINUTE_MS,
  cycles: 100,
  totalUnits: 100,
  defectUnits: 10,
  idealMs: 45 * MINUTE_MS,
  lostByDefectsMs: 4.5 * MINUTE_MS,
  targetUnits: 177.777,
};

test("sums of parts are added member by member; missing members count as zero", () => {
  const sums = { ...noSums };
  addSums(sums, part);
  addSums(sums, { availableMs: 1, cycles: 2 });
  addSums(sums, {});
  expect(sums).toEqual({ ...part, availableMs: HOUR_MS + 1, cycles: 102 });
  expect(noSums.cycles).toBe(0);
});

test("minutes and units are those of the sums, and percentages are computed from them", () => {
  expect(figuresOf(part)).toEqual({
    availableTime: 60,
    unavailableTime: 35,
    programmedDowntime: 15,
    nonProgrammedDowntime: 20,
    otherStopsTime: 3,
    noDataTime: 4,
    annotatedDowntime: 5,
    stopTime: 38,
    idealTime: 45,
    minutesLostByLowSpeed: 15,
    minutesLostByLowQuality: 4.5,
    cycleCount: 100,
    total: 100,
    defects: 10,
    correct: 90,
    target: 177.78,
    availability: 63.16,
    netAvailability: 75,
    effectiveness: 75,
    quality: 90,
    oee: 42.63,
    netOee: 50.63,
  });
});

test("a machine faster than its standard loses nothing by speed", () => {
  const { effectiveness, minutesLostByLowSpeed } = figuresOf({ ...part, idealMs: 90 * MINUTE_MS });
  expect([effectiveness, minutesLostByLowSpeed]).toEqual([150, 0]);
});

test("the sums of nothing are zero, with a quality of 100 %", () => {
  const { quality, ...others } = figuresOf(noSums);
  expect([quality, ...new Set(Object.values(others))]).toEqual([100, 0]);
});

test("units keep six decimals, without errors of binary fractions", () => {
  expect(unitsOf({ totalUnits: 0.1 + 0.2, defectUnits: 0.1, targetUnits: 1.005 })).toMatchObject({
    ...{ total: 0.3, defects: 0.1, correct: 0.2 },
  });
});
