import { expect, test } from "vitest";
import { hoursTemplates, type ShiftTemplate, withEdge } from "../../src/board/domain/first-steps.ts";

const times = (shifts: readonly ShiftTemplate[]) => shifts.map(({ name, start, end }) => `${name} ${start}–${end}`);

test("the neighbours of a shift whose edge is moved follow, also across midnight", () => {
  const later = withEdge(hoursTemplates.three, "morning", "end", "13:30");
  expect(times(later)).toEqual(["morning 06:00–13:30", "afternoon 13:30–22:00", "night 22:00–06:00"]);
  expect(times(withEdge(later, "morning", "start", "05:45"))).toEqual([
    "morning 05:45–13:30",
    "afternoon 13:30–22:00",
    "night 22:00–05:45",
  ]);
  expect(times(withEdge(hoursTemplates.two, "morning", "start", "07:00"))).toEqual([
    "morning 07:00–14:00",
    "afternoon 14:00–22:00",
  ]);
});

test("a break that would no longer lie within its shift is left out", () => {
  const breaks = (shifts: readonly ShiftTemplate[]) => shifts.map(({ breakAt }) => breakAt);
  expect(breaks(withEdge(hoursTemplates.three, "night", "start", "02:00"))).toEqual(["10:00", "18:00", "02:00"]);
  expect(breaks(withEdge(hoursTemplates.three, "night", "start", "02:05"))).toEqual(["10:00", "18:00", null]);
  expect(breaks(withEdge(hoursTemplates.one, "day", "end", "12:25"))).toEqual([null]);
});
