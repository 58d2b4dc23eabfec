import { describe, expect, it } from "vitest";
import { rangeOf, startOfDay } from "../../../src/board/domain/days.ts";
import { hrefOf, isTab, stateOf } from "../../../src/board/domain/desk-state.ts";
import { axisOf, hoursOf } from "../../../src/board/domain/hours.ts";
import { type CauseRow, coverageOf, paretoOf } from "../../../src/board/domain/pareto.ts";
import { HOUR_MS, iso, MINUTE_MS } from "../../../src/board/domain/time.ts";
import {
  across,
  beside,
  fitted,
  limitsOf,
  machineDays,
  neighboursOf,
  panned,
  placeOf,
  shiftMarks,
  stopsOf,
  type TimelineRow,
  ticksOf,
  zoomed,
} from "../../../src/board/domain/timeline.ts";
import { type ShiftUse, scaleEnd, shiftLength, waterfallOf } from "../../../src/board/domain/waterfall.ts";

const madrid = "Europe/Madrid";
const hour = HOUR_MS;
const minute = MINUTE_MS;

describe("the waterfall", () => {
  // The worked example of the engine: 480 = 283.2 + 51 + 5.8 + 40 + 60 + 30 + 10.
  const example: ShiftUse = {
    ...{ length: 480, noData: 10, other: 30, programmed: 40, nonProgrammed: 60, available: 340, ideal: 289, defects: 5.8 },
    hasStandard: true,
  };
  const inMs = (times: ShiftUse) =>
    Object.fromEntries(
      Object.entries(times).map(([name, value]) => [name, typeof value === "number" ? value * minute : value]),
    ) as unknown as ShiftUse;
  const barsOf = (times: ShiftUse) => waterfallOf(inMs(times)).map(({ key, minutes }) => `${key} ${Number(minutes.toFixed(4))}`);

  it("goes from the length of a shift to good output", () => {
    expect(barsOf(example)).toEqual([
      ...["shift 480", "noData -10", "outside -30", "planned -40", "stops -60", "slow -51", "quality -5.8", "good 283.2"],
    ]);
  });

  it("has bars that start where the previous one ends", () => {
    for (const times of [example, { ...example, ideal: 350 }, { ...example, ideal: 0 }, { ...example, hasStandard: false }]) {
      const bars = waterfallOf(inMs(times));
      const [first, last] = [bars[0], bars[bars.length - 1]];
      const changes = bars.slice(1, -1).reduce((sum, { minutes }) => sum + minutes, 0);
      expect((first?.minutes ?? 0) + changes).toBeCloseTo(last?.minutes ?? Number.NaN, 9);
      for (const [i, bar] of bars.entries()) {
        const before = bars[i - 1];
        if (!before || bar.kind === "rest") continue;
        const level = before.kind === "loss" ? before.from : before.to;
        expect(bar.kind === "gain" ? bar.from : bar.to).toBeCloseTo(level, 9);
        expect(Math.abs(bar.minutes)).toBeCloseTo(bar.to - bar.from, 9);
      }
      expect(scaleEnd(bars)).toBe(480);
    }
  });

  it("shows time won by speed, and ends at running time without a standard", () => {
    expect(barsOf({ ...example, ideal: 350 }).slice(5)).toEqual(["fast 10", "quality -5.8", "good 344.2"]);
    expect(barsOf({ ...example, ideal: 0, defects: 0, hasStandard: false }).slice(4)).toEqual(["stops -60", "running 340"]);
  });
});

describe("the Pareto", () => {
  const cause = (id: number) => ({ id, name: `Cause ${id}` });
  const row = (machineId: number | null, general: number | null, minutes: number, count = 1, planned = 0): CauseRow => ({
    machine: machineId === null ? null : { id: machineId, name: "M" },
    generalCause: general === null ? null : cause(general),
    specificCause: null,
    unavailableTime: minutes,
    programmedDowntime: planned,
    stopCount: count,
  });
  const shown = (rows: CauseRow[], metric: "minutes" | "count" | "money", rateOf?: (id: number) => number | null) =>
    paretoOf(rows, metric, rateOf).losses.map(({ key, value }) => `${key} ${value}`);

  it("has the largest loss first, and stops without a cause last", () => {
    const rows = [row(null, 1, 10.1, 5), row(null, null, 99, 1), row(null, 2, 20.2, 2), row(null, 3, 0, 0)];
    expect(shown(rows, "minutes")).toEqual(["2/ 20.2", "1/ 10.1", "/ 99"]);
    expect(shown(rows, "count")).toEqual(["1/ 5", "2/ 2", "/ 1"]);
    expect(shown(rows, "money")).toEqual([]);
    const { losses, total } = paretoOf(rows, "minutes");
    expect(total).toBeCloseTo(129.3, 9);
    expect(losses.map(({ cumulative }) => Math.round(cumulative))).toEqual([16, 23, 100]);
    expect(losses.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(100, 9);
    expect(losses.map(({ isUnknown }) => isUnknown)).toEqual([false, false, true]);
  });

  it("adds up machines, each at its own rate, and shows time without a known rate", () => {
    const rows = [row(1, 7, 30), row(2, 7, 90), row(3, 7, 15), row(2, 8, 0.1), row(2, 8, 0.2)];
    const rates: Record<number, number | null> = { 1: 100, 2: 40, 3: null };
    const { losses, unpricedMinutes } = paretoOf(rows, "money", (id) => rates[id] ?? null);
    expect(losses.map(({ minutes, money }) => [minutes, Math.round((money ?? 0) * 100) / 100])).toEqual([
      [135, 110],
      [0.3, 0.2],
    ]);
    expect(unpricedMinutes).toBe(15);
    expect(paretoOf([row(1, 7, 10)], "money", () => 0).losses).toEqual([]);
  });

  it("separates planned stops, and shows how much has a cause", () => {
    expect(paretoOf([row(null, 1, 10, 1, 10), row(null, 2, 9, 1, 3)], "minutes").losses.map((one) => one.isPlanned)).toEqual([
      true,
      false,
    ]);
    expect(coverageOf({ annotatedDowntime: 91, unavailableTime: 100 })).toBe(91);
    expect(coverageOf({ annotatedDowntime: 0, unavailableTime: 0 })).toBeNull();
  });
});

describe("the timeline", () => {
  const origin = startOfDay("2026-11-21", madrid);
  const at = (minutes: number) => origin + minutes * minute;
  const shift = { id: 1, name: "Morning", startTime: iso(at(0)), endTime: iso(at(480)) };
  const stop = (id: number, causeId: number | null = null) => ({
    ...{ id, name: "Stop", isOpen: false, isBreak: false, specificCause: null, version: 0 },
    generalCause: causeId === null ? null : { id: causeId, name: "Jam" },
  });
  const row = (machineId: number, status: TimelineRow["status"], from: number, to: number, of: TimelineRow["stop"] = null) => ({
    machine: { id: machineId, name: `M${machineId}` },
    ...{ line: null, shift, status, startTime: iso(at(from)), endTime: iso(at(to)), stop: of },
  });
  const days = machineDays([
    row(1, "A", 0, 60),
    row(1, "N", 60, 70, stop(11)),
    row(1, "N", 70, 90, stop(12, 5)),
    row(1, "A", 90, 480),
    row(1, "P", 480, 500, stop(13)),
    row(2, "D", 0, 200),
    row(2, "O", 200, 230, stop(21)),
    row(2, "O", 230, 260, { ...stop(22), isBreak: true }),
  ]);
  const day = { start: origin, end: at(24 * 60) };

  it("has a row per machine, and marks stops without a cause", () => {
    expect(days.map(({ name, stretches }) => `${name}: ${stretches.map(({ kind }) => kind).join(" ")}`)).toEqual([
      "M1: running unknown stopped running planned",
      "M2: noData outside planned",
    ]);
    expect(stopsOf(days).map((one) => one.stop.id)).toEqual([11, 12, 13, 21, 22]);
    const across = machineDays([row(1, "N", 0, 10, stop(1)), row(1, "N", 10, 30, stop(1))]);
    expect(stopsOf(across)).toMatchObject([{ start: at(0), end: at(30) }]);
  });

  it("draws only what is inside the window, clipped", () => {
    expect(placeOf({ start: at(60), end: at(120) }, { start: at(0), end: at(240) })).toEqual({ x: 25, width: 25 });
    expect(placeOf({ start: at(0), end: at(120) }, { start: at(60), end: at(120) })).toEqual({ x: 0, width: 100 });
    expect(placeOf({ start: at(0), end: at(60) }, { start: at(60), end: at(120) })).toBeNull();
  });

  it("zooms around a time, moves, and never leaves the day", () => {
    const inHours = ({ start, end }: { start: number; end: number }) => [start, end].map((one) => (one - origin) / hour);
    expect(inHours(zoomed(day, at(6 * 60), 0.5, day))).toEqual([3, 15]);
    expect(inHours(zoomed({ start: at(180), end: at(900) }, at(0), 4, day))).toEqual([0, 24]);
    expect(inHours(panned({ start: at(60), end: at(180) }, 0.5, day))).toEqual([2, 4]);
    expect(inHours(panned({ start: at(60), end: at(180) }, -5, day))).toEqual([0, 2]);
    const short = fitted({ start: at(60), end: at(61) }, day);
    expect([(short.end - short.start) / minute, (short.start + short.end) / 2]).toEqual([10, at(60.5)]);
    expect(inHours(fitted({ start: at(-600), end: at(6000) }, day))).toEqual([0, 24]);
  });

  it("marks round times of the plant's clock, also on a change of the clocks", () => {
    const clock = (ticks: number[]) => ticks.map((tick) => iso(tick).slice(11, 16));
    expect(clock(ticksOf(day, madrid, 12))).toHaveLength(13);
    expect(clock(ticksOf({ start: at(61), end: at(121) }, madrid, 4))).toEqual(["00:15", "00:30", "00:45", "01:00"]);
    const spring = rangeOf("day", "2026-03-29", madrid, "monday");
    expect(ticksOf(spring, madrid, 12).every((tick) => tick >= spring.start && tick <= spring.end)).toBe(true);
    expect(shiftMarks(days, day)).toEqual([{ at: at(0), names: ["Morning"] }]);
    expect(shiftMarks(days, { start: at(60), end: at(100) })).toEqual([{ at: at(60), names: ["Morning"] }]);
  });

  it("show a production day from its first to its last shift, and at least 24 hours while it lasts", () => {
    expect(limitsOf([], day, false)).toEqual(day);
    const known = days.flatMap(({ stretches }) => stretches);
    const [first, last] = [Math.min(...known.map(({ start }) => start)), Math.max(...known.map(({ end }) => end))];
    expect(limitsOf(days, day, false)).toEqual({ start: first, end: last });
    expect(limitsOf(days, day, true)).toEqual({ start: first, end: Math.max(last, first + 24 * hour) });
  });

  it("can be navigated by keys, which skip running time", () => {
    expect(beside(days, { row: 0, index: 0 }, 1)).toEqual({ row: 0, index: 1 });
    expect(beside(days, { row: 0, index: 2 }, 1)).toEqual({ row: 0, index: 4 });
    expect(beside(days, { row: 0, index: 4 }, 1)).toEqual({ row: 0, index: 4 });
    expect(beside(days, { row: 0, index: 1 }, -1)).toEqual({ row: 0, index: 1 });
    expect(across(days, { row: 0, index: 1 }, 1)).toEqual({ row: 1, index: 0 });
    expect(across(days, { row: 1, index: 1 }, -1)).toEqual({ row: 0, index: 3 });
    expect(across(days, { row: 1, index: 1 }, 1)).toEqual({ row: 1, index: 1 });
  });

  it("finds the stops that a stop can be merged with", () => {
    expect(neighboursOf(days, 11)).toMatchObject({ before: null, after: { stop: { id: 12 } } });
    expect(neighboursOf(days, 12)).toMatchObject({ before: { stop: { id: 11 } }, after: null });
    expect(neighboursOf(days, 13)).toEqual({ before: null, after: null });
    expect(neighboursOf(days, 99)).toEqual({ before: null, after: null });
  });
});

describe("hours", () => {
  const row = (start: number, total: number, target: number) => ({
    ...{ start: iso(start * hour), end: iso((start + 1) * hour), total, defects: 1, correct: total - 1, target },
  });

  it("are added up over machines, and compared with the target", () => {
    const hours = hoursOf([row(7, 50, 60), row(6, 100, 90), row(7, 30, 10.5)]);
    expect(
      hours.map(({ start, total, target, delta, cumulative, defects }) => [
        start / hour,
        ...[total, target, delta, cumulative, defects],
      ]),
    ).toEqual([
      [6, 100, 90, 10, 10, 1],
      [7, 80, 70.5, 9.5, 19.5, 2],
    ]);
  });

  it("have an axis of round numbers", () => {
    expect(axisOf(0)).toHaveLength(2);
    expect(axisOf(100)).toEqual([0, 20, 40, 60, 80, 100]);
    expect(axisOf(101)).toEqual([0, 50, 100, 150]);
    expect(axisOf(0.3)).toEqual([0, 0.1, 0.2, 0.3]);
    expect(axisOf(7)).toEqual([0, 2, 4, 6, 8]);
  });
});

describe("the address", () => {
  const read = (href: string) => {
    const url = new URL(href, "http://andon.test");
    return stateOf(url.pathname.split("/").slice(2).filter(Boolean), url.searchParams);
  };

  it("has everything that is shown", () => {
    for (const href of [
      "/desk/day?day=2026-11-21&machine=2&stop=67108865&from=2026-11-21T09:00:00Z&to=2026-11-21T11:30:15.500Z",
      "/desk/shift?day=2026-11-21&machine=2&shift=2026-11-21T05:00:00Z&bar=stops",
      "/desk/losses?day=2026-11-21&line=3&span=week&metric=money&cause=3/12&table=1",
      "/desk/trend?step=week",
      "/desk/compare?day=2026-11-21&line=3&span=week&sku=CAP&operator=7&vsDay=2026-11-14&vs=machine-2&vsSku=LID&vsOperator=8",
      "/desk/compare?vs=all",
      "/desk/orders?all=1",
      "/desk/people?span=month",
      "/desk/incidents?day=2026-11-21&machine=2&span=week",
      "/desk/incidents/0f3a-1b",
      "/desk/hours?machine=7",
      "/desk/setup?kind=sku&item=CAP-28+%26+more",
      "/desk/setup?item=7",
      "/desk/setup?kind=reasons",
      "/desk/changes?part=corrections",
      "/desk/changes?part=books",
      "/desk/day",
    ]) {
      expect(hrefOf(read(href))).toBe(href);
    }
  });

  it("ignores invalid parts", () => {
    const usual = read("/desk/brief");
    expect(read("/desk?day=2026-02-30&machine=0&line=x&stop=1e3&from=2026&to=y&span=year&metric=eur&cause=jam&bar=none")).toEqual(
      usual,
    );
    expect(read("/desk/day?from=2026-11-21T09:00:00Z&to=2026-11-21T09:00:00Z").window).toBeNull();
    expect([[], ["day"], ["people"], ["x"], ["day", "2"]].map(isTab)).toEqual([true, true, true, false, false]);
    expect([["incidents"], ["incidents", "1"], ["incidents", "1", "2"]].map(isTab)).toEqual([true, true, false]);
    expect(read("/desk/day").incidentId).toBeNull();
  });
});

it("begins the waterfall of a machine that was commissioned in mid-shift at its commissioning", () => {
  const shift = { startTime: "2026-03-02T06:00:00Z" };
  const asOf = "2026-03-02T12:00:00Z";
  const hour = 3_600_000;
  const length = shiftLength({ shift, asOf, segments: [{ startTime: "2026-03-02T11:00:00Z" }] });
  const none = { noData: 0, other: 0, programmed: 0, nonProgrammed: 0, defects: 0, hasStandard: true };
  const bars = waterfallOf({ ...none, length, available: hour, ideal: hour });
  expect(bars.find(({ key }) => key === "good")?.minutes).toBe(60);
  expect(shiftLength({ shift, asOf, segments: [] })).toBe(6 * hour);
});
