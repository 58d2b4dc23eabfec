import { describe, expect, it } from "vitest";
import { linesOf, shiftToHandOver, standingOf } from "../../src/board/domain/hand-over.ts";

const everyDay = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const early = { id: 1, start: "06:00", end: "14:00", days: everyDay };
const late = { id: 2, start: "14:00", end: "22:00", days: everyDay };
const night = { id: 3, start: "22:00", end: "06:00", days: everyDay };
const shifts = [night, early, late];
const at = (time: string) => Date.parse(`2026-11-24T${time}:00Z`);
const found = (time: string, day = "2026-11-24", reachesBack = true) => {
  const one = shiftToHandOver(shifts, day, "UTC", at(time), reachesBack);
  return one && [one.shift.id, one.date];
};

describe("the shift that is handed over", () => {
  it("is the one that runs, at night that of the day before", () => {
    expect(found("13:59")).toEqual([1, "2026-11-24"]);
    expect(found("14:00")).toEqual([2, "2026-11-24"]);
    expect(found("02:00")).toEqual([3, "2026-11-23"]);
  });

  it("of a chosen day is its last one that has begun, or its first one", () => {
    expect(found("02:00", "2026-11-24", false)).toEqual([1, "2026-11-24"]);
    expect(found("12:00", "2026-11-20", false)).toEqual([3, "2026-11-20"]);
    expect(found("12:00", "2026-11-30", false)).toEqual([1, "2026-11-30"]);
  });

  it("is none without shifts", () => {
    expect(shiftToHandOver([], "2026-11-24", "UTC", at("12:00"), true)).toBeNull();
  });
});

it.each([
  [{ total: 101, target: 100 }, "ahead"],
  [{ total: 97, target: 100 }, "even"],
  [{ total: 96, target: 100 }, "behind"],
  [{ total: 5, target: 0 }, "even"],
] as const)("%o is %s", (row, standing) => {
  expect(standingOf(row)).toBe(standing);
});

it("reads what to watch line by line", () => {
  expect(linesOf("  a \n\n b\r\n")).toEqual(["a", "b"]);
});
