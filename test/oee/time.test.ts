import { expect, it } from "vitest";
import { DAY_MS, dayStartOf, isoOf } from "../../src/oee/time.ts";

it("writes a time as text, and leaves null as it is", () => {
  expect(isoOf(1795398300042)).toBe("2026-11-23T01:45:00.042Z");
  expect(isoOf(null)).toBeNull();
});

it("finds the start of a UTC day, of an instant before 1970, too", () => {
  expect(isoOf(dayStartOf(1795398300042))).toBe("2026-11-23T00:00:00.000Z");
  expect([dayStartOf(DAY_MS), dayStartOf(-1)]).toEqual([DAY_MS, -DAY_MS]);
});

it("throws for an invalid time", () => {
  expect(() => isoOf(Number.NaN)).toThrow(RangeError);
});
