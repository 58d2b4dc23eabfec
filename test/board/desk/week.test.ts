import { describe, expect, it } from "vitest";
import { copiesOf, MOST_COPIES, monthsOf, yearOf } from "../../../src/board/domain/calendar-year.ts";
import { isClockChange } from "../../../src/board/domain/first-steps.ts";
import { axisOf, blocksOf, clockOf, minutesOf } from "../../../src/board/domain/week.ts";
import { clockChangeOn, edgeMoved, hoursAWeek, runningAt } from "../../../src/board/domain/working-hours.ts";

const workdays = ["monday", "tuesday", "wednesday", "thursday", "friday"];
const everyDay = [...workdays, "saturday", "sunday"];
const shift = (name: string, start: string, end: string, days = workdays, breaks: { start: string; end: string }[] = []) => ({
  ...{ name, start, end, days, breaks },
});
const three = [shift("Morning", "06:00", "14:00"), shift("Afternoon", "14:00", "22:00"), shift("Night", "22:00", "06:00")];

describe("a week of working hours", () => {
  it("has columns that begin where the fewest shifts are cut in two", () => {
    expect(clockOf(axisOf(three))).toBe("06:00");
    expect(axisOf([])).toBe(0);
    expect(axisOf([shift("Day", "08:00", "16:00")])).toBe(0);
    expect(axisOf([shift("Always", "00:00", "00:00")])).toBe(0);
    expect(clockOf(axisOf([shift("Always", "07:30", "07:30")]))).toBe("07:30");
  });

  it("draws a night shift in one column of such an axis, and in two from midnight on; after Sunday comes Monday", () => {
    const night = shift("Night", "22:00", "06:00", ["monday", "sunday"], [{ start: "23:30", end: "00:30" }]);
    const placed = (axis: number, weekStart: "monday" | "sunday") =>
      blocksOf([night], axis, weekStart).map(({ column, from, to, hasStart, hasEnd, gaps }) => [
        ...[column, from, to, hasStart, hasEnd, gaps.map((gap) => [gap.from, gap.to])],
      ]);
    expect(placed(360, "monday")).toEqual([
      [0, 960, 1440, true, true, [[1050, 1110]]],
      [6, 960, 1440, true, true, [[1050, 1110]]],
    ]);
    expect(placed(0, "monday").sort((a, b) => Number(a[0]) - Number(b[0]))).toEqual([
      [0, 0, 360, false, true, [[0, 30]]],
      [0, 1320, 1440, true, false, [[1410, 1440]]],
      [1, 0, 360, false, true, [[0, 30]]],
      [6, 1320, 1440, true, false, [[1410, 1440]]],
    ]);
    expect(new Set(placed(360, "sunday").map(([column]) => column))).toEqual(new Set([0, 1]));
  });

  it("draws what begins before the axis in the column of the day before", () => {
    const blocks = blocksOf([...three, shift("Early", "04:00", "05:00", ["monday"])], 360, "monday");
    expect(blocks.find(({ shift: { name } }) => name === "Early")).toMatchObject({ column: 6, from: 1320, to: 1380 });
  });

  it("draws shifts of the same time beside each other", () => {
    const blocks = blocksOf([shift("A", "06:00", "14:00", ["monday"]), shift("B", "08:00", "16:00", ["monday"])], 0, "monday");
    expect(blocks.map(({ lane, lanes }) => [lane, lanes])).toEqual([
      [0, 2],
      [1, 2],
    ]);
    expect(new Set(blocksOf(three, 360, "monday").map(({ lanes }) => lanes))).toEqual(new Set([1]));
  });

  it("counts each hour once in which a shift runs", () => {
    expect(hoursAWeek(three)).toBe(120);
    expect(hoursAWeek([shift("A", "06:00", "14:00", ["monday"]), shift("B", "13:00", "15:30", ["monday"])])).toBe(9.5);
    expect(hoursAWeek([shift("Always", "00:00", "00:00", everyDay)])).toBe(168);
    expect(hoursAWeek([shift("Night", "22:00", "06:00", ["saturday"]), shift("Early", "05:00", "07:00", ["sunday"])])).toBe(9);
    expect(hoursAWeek([])).toBe(0);
  });

  it("moves an edge by whole steps, and keeps a shift between five minutes and a day long", () => {
    const times = { start: "14:00", end: "22:00" };
    expect(edgeMoved(times, "start", -28)).toEqual({ start: "13:30", end: "22:00" });
    expect(edgeMoved({ start: "14:03", end: "22:00" }, "start", 5)).toEqual({ start: "14:10", end: "22:00" });
    expect(edgeMoved(times, "end", 180)).toEqual({ start: "14:00", end: "01:00" });
    expect(edgeMoved(times, "start", 600)).toEqual({ start: "21:55", end: "22:00" });
    expect(edgeMoved(times, "end", -600)).toEqual({ start: "14:00", end: "14:05" });
    expect(edgeMoved(times, "start", -2000)).toEqual({ start: "22:00", end: "22:00" });
    expect(edgeMoved({ start: "06:00", end: "06:00" }, "end", 60)).toEqual({ start: "06:00", end: "06:00" });
    expect(edgeMoved({ start: "06:00", end: "06:00" }, "start", 60)).toEqual({ start: "07:00", end: "06:00" });
    expect([minutesOf("9:05 pm"), minutesOf("25:00"), clockOf(-5)]).toEqual([1265, null, "23:55"]);
  });

  it("knows how the clocks change, and which shifts run then", () => {
    expect(clockChangeOn("2027-03-28", "Europe/Berlin")).toEqual({ from: "02:00", to: "03:00" });
    expect(clockChangeOn("2026-10-25", "Europe/Berlin")).toEqual({ from: "03:00", to: "02:00" });
    expect(clockChangeOn("2027-04-04", "Australia/Lord_Howe")).toEqual({ from: "02:00", to: "01:30" });
    // At midnight: there is no 00:00 on that day.
    expect(clockChangeOn("2026-09-05", "America/Santiago") ?? clockChangeOn("2026-09-06", "America/Santiago")).toEqual({
      ...{ from: "00:00", to: "01:00" },
    });
    expect(clockChangeOn("2026-11-24", "Europe/Berlin")).toBeNull();
    // On Sunday at 02:00 the shift of Saturday's night would run.
    expect(runningAt(three, 0, "02:00")).toEqual([]);
    expect(runningAt([shift("Night", "22:00", "06:00", everyDay)], 0, "02:00")).toEqual(["Night"]);
    expect(runningAt(three, 1, "06:00")).toEqual(["Morning"]);
  });
});

const entry = (id: number, date: string, more: object = {}) => ({
  ...{ id, date, scope: "company", lineId: null, machineId: null, closed: true },
  ...more,
});

describe("a year", () => {
  const entries = [
    entry(1, "2026-12-25"),
    entry(2, "2026-12-26", { closed: false }),
    entry(3, "2026-12-24", { scope: "line", lineId: 4 }),
    entry(4, "2026-12-25", { scope: "machine", machineId: 9 }),
  ];
  const days = yearOf(2026, { shifts: three, entries, zone: "Europe/Berlin" });
  const on = (day: string) => days.find((one) => one.day === day);

  it("says what each of its days is", () => {
    expect(days).toHaveLength(365);
    expect(yearOf(2028, { shifts: [], entries: [], zone: "UTC" })).toHaveLength(366);
    expect([on("2026-11-24"), on("2026-11-28")].map((one) => one?.kind)).toEqual(["usual", "none"]);
    expect(on("2026-12-25")).toMatchObject({ kind: "closed", isPartly: true, entries: [{ id: 1 }, { id: 4 }] });
    expect(on("2026-12-26")).toMatchObject({ kind: "other", isPartly: false });
    expect(on("2026-12-24")).toMatchObject({ kind: "usual", isPartly: true });
    expect(days.filter((one) => one.isClockChange).map(({ day }) => day)).toEqual(["2026-03-29", "2026-10-25"]);
    expect(isClockChange("2026-03-29", "UTC")).toBe(false);
  });

  it("has months with weeks that begin on the plant's day", () => {
    const months = monthsOf(days, "monday");
    expect(months).toHaveLength(12);
    expect(months[7]?.[0]?.map((one) => one?.day ?? null)).toEqual([null, null, null, null, null, "2026-08-01", "2026-08-02"]);
    expect(monthsOf(days, "sunday")[7]?.[0]?.filter(Boolean)).toHaveLength(1);
    expect(months.flat(2).filter(Boolean)).toHaveLength(365);
  });
});

describe("copied calendar days", () => {
  const week = [entry(1, "2026-12-25"), entry(2, "2026-12-24", { scope: "line", lineId: 4 })];
  const rest = { today: "2026-11-29", weekStart: "monday" as const };
  const datesOf = (found: ReturnType<typeof copiesOf>) => found.copies.map(({ entry: { id }, date }) => [id, date]);

  it("are on the same weekdays of the other weeks, and what is there stays", () => {
    const typed = { source: "2026-12-27", first: "2026-12-31", last: "2027-01-04" };
    const found = copiesOf([...week, entry(3, "2027-01-01", { closed: false })], typed, rest);
    expect(datesOf(found)).toEqual([
      [2, "2026-12-31"],
      [1, "2027-01-08"],
      [2, "2027-01-07"],
    ]);
    expect([found.kept, found.weeks]).toEqual([1, 2]);
  });

  it("are never of the week itself, nor of days that are over or run", () => {
    const found = copiesOf(week, { source: "2026-12-21", first: "2026-11-20", last: "2026-12-27" }, rest);
    expect(datesOf(found).map(([, date]) => date)).toEqual([
      ...["2026-12-04", "2026-12-03", "2026-12-11", "2026-12-10", "2026-12-18", "2026-12-17"],
    ]);
    expect(found.weeks).toBe(3);
  });

  it("are not more than the most that is copied, however long the time is", () => {
    const found = copiesOf(week, { source: "2026-12-21", first: "2026-12-28", last: "9999-01-01" }, rest);
    expect(found.copies.length).toBeLessThanOrEqual(MOST_COPIES + week.length);
    expect(copiesOf([], { source: "2026-12-21", first: "2026-12-28", last: "2027-12-01" }, rest).copies).toEqual([]);
  });
});
