import { describe, expect, it } from "vitest";
import { nextHours } from "../../src/channels/hours.ts";
import { type AlertHours, weekdays } from "../../src/db/values.ts";

const daily = (start: string, end: string) =>
  Object.fromEntries(weekdays.map((day) => [day, { start, end }])) as unknown as AlertHours;

describe("somebody's hours when the clock is set", () => {
  it.each([
    ["the skipped hour", "Europe/Madrid", "02:00", "03:00", "2026-03-28T12:00Z", "2026-03-29T01:00Z", "2026-03-29T02:00Z"],
    ["a part of it", "Europe/Madrid", "02:15", "02:45", "2026-03-28T12:00Z", "2026-03-29T01:15Z", "2026-03-29T01:45Z"],
    [
      "half an hour of Lord Howe",
      "Australia/Lord_Howe",
      "02:00",
      "02:30",
      "2026-10-03T12:00Z",
      "2026-10-03T15:30Z",
      "2026-10-03T16:00Z",
    ],
    ["two hours of Troll", "Antarctica/Troll", "01:00", "03:00", "2026-03-28T12:00Z", "2026-03-29T01:00Z", "2026-03-29T03:00Z"],
    ["the repeated hour", "Europe/Madrid", "02:00", "03:00", "2026-10-24T12:00Z", "2026-10-25T00:00Z", "2026-10-25T02:00Z"],
  ])("%s is not lost", (_, timezone, start, end, before, from, until) => {
    const next = (at: number) => nextHours(daily(start, end), timezone, at);
    expect(next(Date.parse(before))).toBe(Date.parse(from));
    expect(next(Date.parse(from))).toBe(Date.parse(from));
    expect(next(Date.parse(until) - 1)).toBe(Date.parse(until) - 1);
    expect(next(Date.parse(until))).toBeGreaterThan(Date.parse(until));
  });
});
