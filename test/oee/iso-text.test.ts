import fc from "fast-check";
import { expect, it } from "vitest";
import { isoText } from "../../src/oee/iso-text.ts";
import { DAY_MS } from "../../src/oee/time.ts";

const byDate = (at: number) => new Date(at).toISOString();

it("writes an instant as text", () => {
  expect(isoText(0)).toBe("1970-01-01T00:00:00.000Z");
  expect(isoText(1795398300042)).toBe("2026-11-23T01:45:00.042Z");
});

it("writes any instant as Date does", () => {
  const anyInstant = fc.integer({ min: -8.64e15, max: 8.64e15 });
  const ofFourDigits = fc.integer({ min: 0, max: Date.UTC(10_000, 0) - 1 });
  const nowadays = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2100, 0) });
  const withFraction = fc.double({ min: -1e15, max: 1e15, noNaN: true });
  const instants = fc.array(fc.oneof(anyInstant, ofFourDigits, nowadays, withFraction), { minLength: 1 });
  fc.assert(
    fc.property(instants, (ats) => {
      expect(ats.map(isoText)).toEqual(ats.map(byDate));
    }),
    { numRuns: 1000 },
  );
});

it("writes the first and last millisecond of each day of the years around leap years as Date does", () => {
  const years = [1970, 1972, 1999, 2000, 2024, 2100, 2400, 9999];
  const days = years.flatMap((year) => Array.from({ length: 366 }, (_, day) => Date.UTC(year, 0, 1 + day)));
  const ats = days.flatMap((at) => [at - 1, at, at + DAY_MS - 1]);
  expect(ats.map(isoText)).toEqual(ats.map(byDate));
});

it("throws for an invalid time", () => {
  for (const at of [Number.NaN, 9e15, -9e15, Number.POSITIVE_INFINITY]) expect(() => isoText(at)).toThrow(RangeError);
});
