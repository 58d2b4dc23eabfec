import { describe, expect, it } from "vitest";
import { type Total, totalAfter } from "../../../src/api/orders/totals.ts";

const total = (members: Partial<Total> = {}): Total => ({
  ...{ reported: 0, statedAt: null, counted: 0, countedSince: 0, reportedSince: 0 },
  ...members,
});

describe("a total after a report", () => {
  it("gets a delta added, and keeps the time of its last statement", () => {
    const before = total({ reported: 5, statedAt: 100, counted: 7 });
    expect(totalAfter(before, { mode: "delta", occurredAt: 200, units: 3 })).toEqual({ reported: 8, statedAt: 100 });
    expect(totalAfter(before, { mode: "delta", occurredAt: 100, units: 0.1 })).toEqual({ reported: 5.1, statedAt: 100 });
  });

  it("is the stated total and what was reported for later", () => {
    const before = total({ reported: 120, statedAt: 900, reportedSince: 20, counted: 40, countedSince: 10 });
    expect(totalAfter(before, { mode: "absolute", occurredAt: 930, units: 50 })).toEqual({ reported: 70, statedAt: 930 });
  });

  it.each(["delta", "absolute"] as const)("stays as stated after a %s for an earlier instant", (mode) => {
    const before = total({ reported: 120, statedAt: 900 });
    expect(totalAfter(before, { mode, occurredAt: 899, units: -500 })).toEqual({ reported: 120, statedAt: 900 });
  });

  it("is exact for fractions", () => {
    expect(totalAfter(total({ reported: 0.1 }), { mode: "delta", occurredAt: 1, units: 0.2 })?.reported).toBe(0.3);
  });

  it.each([
    ["a delta that takes more than there is", total({ reported: 2, counted: 3 }), "delta", -6],
    ["a delta that takes more than there is of a total below 0", total({ reported: 2, counted: -3 }), "delta", -1],
    ["a stated total that later reports take below 0", total({ reportedSince: -9, countedSince: 3 }), "absolute", 5],
    ["a total beyond 2^53", total({ counted: 2 ** 53 }), "delta", 2],
  ] as const)("refuses %s", (_what, before, mode, units) => {
    expect(totalAfter(before, { mode, occurredAt: 1, units })).toBeNull();
  });

  it("may be exactly 0, and may rise while it is below 0", () => {
    expect(totalAfter(total({ reported: 2, counted: 3 }), { mode: "delta", occurredAt: 1, units: -5 })?.reported).toBe(-3);
    expect(totalAfter(total({ counted: -3 }), { mode: "delta", occurredAt: 1, units: 1 })?.reported).toBe(1);
  });
});
