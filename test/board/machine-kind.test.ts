import { expect, it } from "vitest";
import { kindOf, kindOfStop } from "../../src/board/domain/machine-kind.ts";

it("a state of a newer service is shown as unknown", () => {
  expect(kindOf({ status: "X" as "A", isSlow: null, plannedUntil: null })).toBe("noData");
});

it("a planned stop is planned, whether it counts in availability or not; another one that does not count is outside", () => {
  const kind = (isProgrammed: boolean, isIncludedInAvailability: boolean) =>
    kindOfStop({ isProgrammed, isIncludedInAvailability });
  expect([kind(true, true), kind(true, false), kind(false, false), kind(false, true)]).toEqual([
    ...["planned", "planned", "outside", "stopped"],
  ]);
});
