import { expect, test } from "vitest";
import type { MachineEvent, ReportedState } from "../../src/oee/events.ts";
import { timelineOf } from "../../src/oee/timeline.ts";
import { at, count, every, MINUTE_MS, onlyShift, readable, replay, sample, settings, shift } from "./support.ts";

/** A count every minute from one clock time to another, on the Monday. */
function running(from: string, to: string): MachineEvent[] {
  return every(MINUTE_MS, at(from), at(to), count);
}

/** A sample from the gateway every minute from 06:00 to 16:00. */
const online = every(MINUTE_MS, at("06:00"), at("16:00"), sample);
const lunch = { name: "Lunch", start: "10:00", end: "10:30", isIncludedInAvailability: false };
const machine = settings({ commissionedAt: at("06:00"), shifts: [shift({ breaks: [lunch] })] });

test("a break inside a stop makes three stops of it", () => {
  const events = [...running("06:00", "09:50"), ...running("10:45", "14:00"), ...online];
  const result = replay(events, machine, { now: at("14:00") });
  expect(readable(result, at("10:00"))).toEqual(["-10-0 unplanned", "0-30 Lunch", "30-45 unplanned"]);
  expect(onlyShift(result).indicators).toMatchObject({ otherStopsTime: 30, nonProgrammedDowntime: 25, programmedDowntime: 0 });
});

test("a break that is included in availability is programmed downtime", () => {
  const events = [...running("06:00", "10:00"), ...running("10:30", "14:00"), ...online];
  const included = settings({
    commissionedAt: at("06:00"),
    shifts: [shift({ breaks: [{ ...lunch, isIncludedInAvailability: true }] })],
  });
  const { indicators } = onlyShift(replay(events, included, { now: at("14:00") }));
  expect(indicators).toMatchObject({ otherStopsTime: 0, programmedDowntime: 30, availability: 93.75, netAvailability: 100 });
});

test("running through a break is running", () => {
  const result = replay([...running("06:00", "14:00"), ...online], machine, { now: at("14:00") });
  expect(result.stops).toEqual([]);
  expect(onlyShift(result).indicators.availableTime).toBe(480);
});

test("overlapping breaks apply in the order of their starts", () => {
  const walk = { ...lunch, name: "Walk", start: "10:10", end: "10:40" };
  const short = { ...lunch, name: "Short", start: "10:05", end: "10:20" };
  const overlapping = settings({ commissionedAt: at("06:00"), shifts: [shift({ breaks: [walk, short, lunch] })] });
  const result = replay([...running("06:00", "10:00"), ...running("11:00", "14:00"), ...online], overlapping, {
    now: at("14:00"),
  });
  expect(readable(result, at("10:00"))).toEqual(["0-30 Lunch", "30-40 Walk", "40-60 unplanned"]);
});

test("a stop that crosses a shift's edge is one stop and a slice in each shift", () => {
  const shifts = [shift(), shift({ id: 2, start: "14:00", end: "22:00" })];
  const events = [...running("06:00", "13:50"), ...running("14:20", "16:00"), ...online];
  const result = replay(events, { ...machine, shifts }, { now: at("16:00") });
  expect(readable(result, at("14:00"))).toEqual(["-10-20 unplanned"]);
  expect(result.shifts.map(({ indicators }) => indicators)).toMatchObject([
    { nonProgrammedDowntime: 10, earlyStopTime: 10, lateStartTime: 0 },
    { nonProgrammedDowntime: 20, earlyStopTime: 0, lateStartTime: 20 },
  ]);
});

test("a machine that never ran has a late start of the whole shift, and no early stop", () => {
  const { indicators, metrics } = onlyShift(replay(online, { ...machine, shifts: [shift()] }, { now: at("15:00") }));
  expect(indicators).toMatchObject({ nonProgrammedDowntime: 480, lateStartTime: 480, earlyStopTime: 0, availability: 0 });
  expect(metrics).toMatchObject({ quality: 100, oee: 0 });
});

test("an early stop is one only when the shift is over", () => {
  const events = [...running("06:00", "13:00"), ...online];
  const early = (now: string) => replay(events, machine, { now: at(now) }).shifts[0]?.indicators.earlyStopTime;
  expect([early("13:59"), early("14:00")]).toEqual([0, 60]);
});

test("a stop begins at the last count, not when it is detected, and only beyond the limit", () => {
  const stops = (now: string) => readable(replay([count(at("06:00"))], machine, { now: at(now) }), at("06:00"));
  expect(stops("06:02")).toEqual([]);
  expect(stops("06:03")).toEqual(["0- unplanned"]);
  expect(replay([count(at("06:00")), count(at("06:02"))], machine, { now: at("06:02") }).stops).toEqual([]);
});

test("silence is no data only beyond the limit", () => {
  const kinds = (until: number) => {
    const { pieces } = replay([count(at("06:00")), count(until)], machine, { now: until });
    return pieces.map(({ kind }) => kind);
  };
  expect(kinds(at("06:05"))).toEqual(["stop", "available"]);
  expect(kinds(at("06:05") + 1)).toEqual(["noData", "available"]);
});

test("an open stop extends beyond now, and one that ended now does not", () => {
  const events = [...running("06:00", "09:50"), ...online.filter((event) => event.at <= at("10:00"))];
  const ends = ["09:59", "10:00"].map((now) => replay(events, machine, { now: at(now) }).stops.map(({ end }) => end - at(now)));
  expect(ends).toEqual([[1], [0, 1]]);
});

test("a shift that begins now is open, with the present state", () => {
  const { shifts } = replay(online, { ...machine, shifts: [shift({ start: "08:00" })] }, { now: at("08:00") });
  expect(shifts.map(({ sums }) => sums)).toMatchObject([{ openBucket: "nonProgrammed", nonProgrammedMs: 0 }]);
});

test("a manual stop overrides running, detected stops, breaks and no data", () => {
  const events = [...running("06:00", "09:50"), ...running("10:45", "11:00"), ...running("11:30", "14:00")];
  const manual = [
    { start: at("05:00"), end: at("06:10"), isProgrammed: true, isIncludedInAvailability: true },
    { start: at("10:15"), end: at("11:10"), isProgrammed: false, isIncludedInAvailability: false },
  ];
  const result = replay(events, machine, { now: at("14:00"), manual });
  expect(readable(result, at("10:00"))).toEqual(["-240--230 manual", "15-70 manual"]);
  expect(onlyShift(result).indicators).toMatchObject({ programmedDowntime: 10, otherStopsTime: 55, noDataTime: 45 });
  // With samples, the time without counts is a stop, of which the manual one leaves the edges and what is left of the break.
  const stopped = replay([...events, ...online], machine, { now: at("14:00"), manual });
  expect(readable(stopped, at("10:00"))).toEqual([
    "-240--230 manual",
    "-10-0 unplanned",
    "0-15 Lunch",
    "15-70 manual",
    "70-90 unplanned",
  ]);
  expect(timelineOf([], [], { manual, cuts: [], joins: [] })).toEqual([]);
});

test("silence inside a stop is no data, and a stop before it and after it", () => {
  const events = [
    count(at("06:00")),
    ...every(MINUTE_MS, at("06:00"), at("06:10"), sample),
    sample(at("06:20")),
    count(at("06:21")),
  ];
  const { pieces } = replay(events, machine, { now: at("06:21") });
  expect(pieces.map(({ kind, start, end }) => [kind, (end - start) / MINUTE_MS])).toEqual([
    ["stop", 10],
    ["noData", 10],
    ["stop", 1],
    ["available", expect.closeTo(0)],
  ]);
});

test("silence inside a micro-stop is no data between two times of running", () => {
  const patient = { ...machine, stopAfterMs: 30 * MINUTE_MS };
  const { pieces } = replay([count(at("06:00")), sample(at("06:01")), sample(at("06:11")), count(at("06:12"))], patient, {
    now: at("06:12"),
  });
  expect(pieces.map(({ kind }) => kind)).toEqual(["available", "noData", "available"]);
});

test("while silence is never no data, a silent machine is stopped", () => {
  const result = replay([count(at("06:00"))], { ...machine, noDataAfterMs: null }, { now: at("16:00") });
  expect(readable(result, at("06:00"))).toEqual(["0-240 unplanned", "240-270 Lunch", "270- unplanned"]);
});

const states = settings({ signal: "states", commissionedAt: at("06:00"), shifts: [shift()], noDataAfterMs: null });

function reported(...spells: [string, ReportedState][]): MachineEvent[] {
  return spells.map(([clock, state]) => ({ kind: "state", at: at(clock), state }));
}

test("states: each change between programmed and not begins another stop", () => {
  const events = reported(
    ["06:00", "running"],
    ["07:00", "idle"],
    ["07:01", "down"],
    ["07:10", "setup"],
    ["07:20", "maintenance"],
    ["07:30", "idle"],
    ["07:31", "running"],
  );
  const result = replay(events, states, { now: at("08:00") });
  expect(readable(result, at("07:00"))).toEqual(["0-10 unplanned", "10-30 programmed", "30-31 unplanned"]);
});

test("states: a stop within the limit is a micro-stop, whatever its states", () => {
  const events = reported(["06:00", "running"], ["07:00", "idle"], ["07:01", "setup"], ["07:02", "running"]);
  expect(replay(events, states, { now: at("08:00") }).pieces).toHaveLength(1);
});

test("states: before the first one and while unavailable there is no data, which ends a stop", () => {
  const events = reported(["06:10", "idle"], ["06:11:30", "unavailable"], ["06:20", "idle"], ["06:21:30", "running"]);
  const { pieces } = replay(events, states, { now: at("06:30") });
  expect(pieces.map(({ kind, start }) => [kind, (start - at("06:00")) / MINUTE_MS])).toEqual([
    ["noData", 0],
    ["available", 10],
    ["noData", 11.5],
    ["available", 20],
  ]);
});

test("states: a state continues through silence, once data arrives again", () => {
  const events: MachineEvent[] = [
    ...reported(["06:00", "running"]),
    sample(at("06:04")),
    sample(at("06:14")),
    sample(at("06:16")),
  ];
  const { pieces } = replay(events, { ...states, noDataAfterMs: 5 * MINUTE_MS }, { now: at("06:16") });
  expect(pieces.map(({ kind, start }) => [kind, (start - at("06:00")) / MINUTE_MS])).toEqual([
    ["available", 0],
    ["noData", 4],
    ["available", 14],
  ]);
});

test("people split and join stops: the parts stay stops, and no running time is added or lost", () => {
  const events = [...running("06:00", "09:00"), ...running("11:00", "14:00"), ...online];
  const cut = at("09:30");
  const now = at("14:00");
  const before = replay(events, machine, { now });
  const split = replay(events, machine, { now, cuts: [cut, at("12:00")] });
  expect(split.stops.length).toBe(before.stops.length + 1);
  expect(split.stops.some((stop) => stop.end === cut) && split.stops.some((stop) => stop.start === cut)).toBe(true);
  expect(onlyShift(split).sums).toEqual(onlyShift(before).sums);
  const [, second] = before.stops;
  const joined = replay(events, machine, { now, joins: [second?.start ?? 0, at("12:00")] });
  expect(joined.stops.length).toBe(before.stops.length - 1);
  expect(joined.stops[0]).toMatchObject({ start: before.stops[0]?.start, end: second?.end });
  // The break's half hour is counted like the stop that it joins.
  const { otherMs, nonProgrammedMs, ...others } = onlyShift(before).sums;
  expect(onlyShift(joined).sums).toEqual({ ...others, otherMs: 0, nonProgrammedMs: nonProgrammedMs + otherMs });
});
