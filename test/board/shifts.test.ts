import { describe, expect, it } from "vitest";
import { dayOfShift, nextShift, nightShiftStart, todayOf } from "../../src/board/domain/shifts.ts";

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday"];
const shifts = [
  { name: "Evening", start: "14:00", days: weekdays },
  { name: "Morning", start: "06:00", days: weekdays },
];
// 2026-11-20 is a Friday.
const at = (text: string) => Date.parse(text);

describe("the next shift", () => {
  it("is the first to begin, in the plant's time zone", () => {
    expect(nextShift(shifts, "Europe/Madrid", at("2026-11-20T04:59:00Z"))).toEqual({
      ...{ name: "Morning", start: "06:00", inDays: 0, weekday: 5 },
    });
    expect(nextShift(shifts, "Europe/Madrid", at("2026-11-20T05:00:00Z"))).toMatchObject({ name: "Evening", inDays: 0 });
    expect(nextShift(shifts, "America/New_York", at("2026-11-20T05:00:00Z"))).toMatchObject({ name: "Morning", inDays: 0 });
  });

  it("may be after the weekend, or in a week", () => {
    const next = nextShift(shifts, "UTC", at("2026-11-20T15:00:00Z"));
    expect(next).toMatchObject({ name: "Morning", inDays: 3, weekday: 1 });
    const weekly = [{ name: "Clean", start: "06:00", days: ["friday"] }];
    expect(nextShift(weekly, "UTC", at("2026-11-20T07:00:00Z"))).toMatchObject({ inDays: 7, weekday: 5 });
  });

  it("is null without shifts", () => {
    expect(nextShift([], "UTC", 0)).toBeNull();
    expect(nextShift([{ name: "Off", start: "06:00", days: [] }], "UTC", 0)).toBeNull();
  });
});

describe("the night shift that is still running", () => {
  const night = { start: "22:00", end: "06:00", days: ["monday"] };
  const early = { start: "05:00", end: "14:00", days: ["tuesday"] };
  const zone = "Europe/Madrid";
  // Monday, 23 November 2026: an hour ahead of UTC.
  const at = (text: string) => Date.parse(`${text}:00+01:00`);
  const start = at("2026-11-23T22:00");

  it("is the one that began yesterday, until it ends or today's first shift begins", () => {
    const times = ["2026-11-23T23:30", "2026-11-24T00:00", "2026-11-24T05:59", "2026-11-24T06:00", "2026-11-25T01:00"];
    expect(times.map((time) => nightShiftStart([night], zone, at(time)))).toEqual([null, start, start, null, null]);
    expect([at("2026-11-24T04:59"), at("2026-11-24T05:00")].map((now) => nightShiftStart([night, early], zone, now))).toEqual([
      start,
      null,
    ]);
    expect(nightShiftStart([], zone, start)).toBeNull();
  });

  it("is part of today, or belongs to yesterday or tomorrow, as the plant's production day says", () => {
    const times = ["2026-11-23T21:30", "2026-11-23T22:30", "2026-11-24T02:00", "2026-11-24T06:30"];
    const today = (productionDay: "calendarDay" | "shiftStart" | "shiftEnd") =>
      times.map((time) => todayOf(productionDay, [night], zone, at(time)).slice(8));
    expect(today("calendarDay")).toEqual(["23", "23", "24", "24"]);
    expect(today("shiftStart")).toEqual(["23", "23", "23", "24"]);
    expect(today("shiftEnd")).toEqual(["23", "24", "24", "24"]);
    // A shift until midnight ends on the day on which it starts.
    expect(todayOf("shiftEnd", [{ ...night, end: "00:00" }], zone, at("2026-11-23T23:30"))).toBe("2026-11-23");
    const shift = { start: at("2026-11-23T22:00"), end: at("2026-11-24T06:00") };
    expect([dayOfShift("shiftStart", shift, zone), dayOfShift("shiftEnd", shift, zone)]).toEqual(["2026-11-23", "2026-11-24"]);
    expect(dayOfShift("shiftEnd", { start: shift.start, end: at("2026-11-24T00:00") }, zone)).toBe("2026-11-23");
  });
});
