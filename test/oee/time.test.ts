import fc from "fast-check";
import { expect, it } from "vitest";
import { isoOf } from "../../src/oee/time.ts";

const instants = fc.oneof(fc.integer({ min: -8.64e15, max: 8.64e15 }), fc.integer({ min: -1e6, max: 4e12 }));

it("writes a time as Date does", () => {
  fc.assert(
    fc.property(fc.array(instants, { minLength: 1 }), (times) => {
      expect(times.map((at) => isoOf(at))).toEqual(times.map((at) => new Date(at).toISOString()));
    }),
    { numRuns: 500 },
  );
});

it("leaves null as it is, and throws where there is no such time", () => {
  expect(isoOf(null)).toBeNull();
  for (const at of [Number.NaN, 9e15, -9e15]) expect(() => isoOf(at)).toThrow(RangeError);
  expect(isoOf(0)).toBe("1970-01-01T00:00:00.000Z");
});
