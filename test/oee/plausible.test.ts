import { describe, expect, it } from "vitest";
import { type CheckedCount, isPlausible, isSuspicious } from "../../src/oee/plausible.ts";
import { HOUR, SECOND } from "../support/clock.ts";

const count = (more: Partial<CheckedCount> = {}): CheckedCount => {
  const { cycles = 7200 } = more;
  return { pulses: cycles, cycles, since: 0, at: HOUR, standardMs: 10 * SECOND, ...more };
};

describe("a count is plausible", () => {
  it("up to a multiple of the cycles that fit at the standard", () => {
    // 360 cycles fit an hour: 20 times that are 7,200.
    expect(isPlausible(count(), 20)).toBe(true);
    expect(isPlausible(count({ cycles: 7201 }), 20)).toBe(false);
    expect(isPlausible(count({ cycles: 7201 }), 21)).toBe(true);
  });

  it("up to 1,000 cycles in any time, even none", () => {
    expect(isPlausible(count({ cycles: 1000, since: HOUR }), 20)).toBe(true);
    expect(isPlausible(count({ cycles: 1001, since: HOUR }), 20)).toBe(false);
  });

  it("up to 1,000,000 pulses without a standard, or if its channel counts no cycles", () => {
    for (const without of [{ standardMs: null }, { cycles: 0 }]) {
      expect(isPlausible(count({ ...without, pulses: 1_000_000, since: HOUR }), 20)).toBe(true);
      expect(isPlausible(count({ ...without, pulses: 1_000_001 }), 20)).toBe(false);
    }
  });

  it("whatever it is, without a limit", () => {
    expect(isPlausible(count({ cycles: 999_999_999, since: HOUR }), null)).toBe(true);
    expect(isPlausible(count({ cycles: 999_999_999, standardMs: null }), null)).toBe(true);
  });

  it("without a look at the time, up to 1,000 pulses", () => {
    expect([isSuspicious({ pulses: 1000 }), isSuspicious({ pulses: 1001 })]).toEqual([false, true]);
  });
});
