import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pulsesBetween } from "../../src/oee/counters.ts";

const MINUTE = 60_000;
const between = (
  before: number,
  after: number,
  { minutes = 1, wrapsAt = null as number | null, perMinute = null as number | null } = {},
) =>
  pulsesBetween(
    { at: 0, value: before },
    { at: minutes * MINUTE, value: after },
    { wrapsAt, maxPerMs: perMinute === null ? null : perMinute / MINUTE },
  );

describe("the pulses between two readings of a counter", () => {
  it("are the difference while the total grows, however fast", () => {
    expect(between(5, 9)).toBe(4);
    expect(between(9, 9)).toBe(0);
    expect(between(0, 999_999_999, { perMinute: 1 })).toBe(999_999_999);
  });

  it("are the new total after a reset", () => {
    expect(between(500, 4)).toBe(4);
    expect(between(500, 0)).toBe(0);
  });

  it("go on from 0 after the highest total of a counter that wraps", () => {
    expect(between(65_530, 4, { wrapsAt: 65_536 })).toBe(10);
    expect(between(65_535, 0, { wrapsAt: 65_536 })).toBe(1);
    expect(between(32_766, 5, { wrapsAt: 32_768, perMinute: 10 })).toBe(7);
  });

  it("are the new total where the counter would have had to wrap too fast: it was reset", () => {
    expect(between(40_000, 5, { wrapsAt: 65_536, perMinute: 1000 })).toBe(5);
    expect(between(40_000, 5, { wrapsAt: 65_536, perMinute: 1000, minutes: 30 })).toBe(25_541);
  });

  it("are the new total where wrapping would mean more than half of the range and no rate is known", () => {
    expect(between(40_000, 5, { wrapsAt: 65_536 })).toBe(25_541);
    expect(between(20_000, 5, { wrapsAt: 65_536 })).toBe(5);
  });

  it("do not wrap from a total that the counter cannot have", () => {
    expect(between(70_000, 5, { wrapsAt: 65_536 })).toBe(5);
  });

  it("are none where a smaller reading has the same time: their order is unknown", () => {
    expect(between(10, 9, { minutes: 0 })).toBe(0);
    expect(between(10, 9, { minutes: 0, wrapsAt: 16 })).toBe(0);
  });

  it("add up to everything that a counter made, if it is read often enough", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 120 })), fc.constantFrom(256, 1000, 65_536), (made, wrapsAt) => {
        let total = 0;
        let sum = 0;
        for (const pulses of made) {
          sum += between(total % wrapsAt, (total + pulses) % wrapsAt, { wrapsAt });
          total += pulses;
        }
        expect(sum).toBe(total);
      }),
    );
  });
});
