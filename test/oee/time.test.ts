import { expect, it } from "vitest";
import { isoOf } from "../../src/oee/time.ts";

it("writes a time as text, and leaves null as it is", () => {
  expect(isoOf(1795398300042)).toBe("2026-11-23T01:45:00.042Z");
  expect(isoOf(null)).toBeNull();
});

it("throws for an invalid time", () => {
  expect(() => isoOf(Number.NaN)).toThrow(RangeError);
});
