import { expect, it } from "vitest";
import { hasOwnThresholds, ratingOf, thresholdsOf } from "../../../src/board/domain/thresholds.ts";

const company = {
  oeeThresholds: { badBelow: 60, goodFrom: 85 },
  availabilityThresholds: { badBelow: 75, goodFrom: 90 },
  coverageThresholds: { badBelow: 96, goodFrom: 96 },
};
const machine = { oeeThresholds: { badBelow: 40, goodFrom: 50 }, availabilityThresholds: null, coverageThresholds: null };

it("rates a percentage as it is shown", () => {
  const of = (value: number, decimals: number) => ratingOf(value, company.oeeThresholds, decimals);
  expect([59.9, 59.95, 60, 84.9, 84.95, 85, 120].map((value) => of(value, 1))).toEqual(
    ["bad", "watched", "watched", "watched", "good", "good", "good"], //
  );
  expect([59.4, 59.5, 84.5].map((value) => of(value, 0))).toEqual(["bad", "watched", "good"]);
  expect([95.94, 95.96].map((value) => ratingOf(value, company.coverageThresholds, 1))).toEqual(["bad", "good"]);
});

it("takes the thresholds of the machine, or else of the company", () => {
  expect(thresholdsOf("oee", company, machine)).toEqual({ badBelow: 40, goodFrom: 50 });
  expect(thresholdsOf("availability", company, machine)).toEqual({ badBelow: 75, goodFrom: 90 });
  expect(thresholdsOf("oee", company)).toEqual({ badBelow: 60, goodFrom: 85 });
  expect([hasOwnThresholds("oee", [machine]), hasOwnThresholds("coverage", [machine]), hasOwnThresholds("oee", [])]).toEqual(
    [true, false, false], //
  );
});
