import { describe, expect, it } from "vitest";
import { nextShift, weekdayName } from "../../../src/board/domain/next-shift.ts";

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

  it("has a weekday with a name in each language", () => {
    expect([weekdayName(0, "en-GB"), weekdayName(1, "en-GB"), weekdayName(6, "es-ES")]).toEqual(["Sunday", "Monday", "sábado"]);
  });
});
