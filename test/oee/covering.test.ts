import { describe, expect, test } from "vitest";
import type { MachineEvent } from "../../src/oee/events.ts";
import { at, count, every, HOUR_MS, MINUTE_MS, onlyShift, readable, replay, sample, settings, shift } from "./support.ts";

const SECOND = 1000;
const machine = settings({
  standardCycleMs: 10 * SECOND,
  shifts: [shift({ start: "06:00", end: "10:00" })],
  commissionedAt: at("06:00"),
});
const slow = (seconds: number) => ({ ...machine, reportingMs: seconds * SECOND });

/** What a device reports that collects its counts, from 06:00 on: so many cycles each time. */
const reports = (seconds: number, cycles: number, until = "10:00") =>
  every(seconds * SECOND, at("06:00") + seconds * SECOND, at(until), (t) => count(t, { cycles, total: cycles }));

describe("a device that reports slower than the limits", () => {
  test.each([
    [150, 15],
    [310, 31],
  ])("every %i s makes plausible numbers once the machine knows it", (seconds, cycles) => {
    const { metrics, indicators } = onlyShift(replay(reports(seconds, cycles), slow(seconds), { now: at("10:00") - 1 }));
    expect(metrics.effectiveness).toBeGreaterThanOrEqual(97);
    expect(metrics.effectiveness).toBeLessThanOrEqual(100);
    expect(indicators.availability).toBe(100);
    expect(indicators.noDataTime).toBe(0);
  });

  test("is stopped for the part of its time that its cycles did not need", () => {
    const micro = [...reports(150, 15, "07:00"), count(at("07:02:30"), { cycles: 3, total: 3 })];
    expect(readable(replay(micro, slow(150), { now: at("07:03") }), at("06:00"))).toEqual([]);
    const rested = replay([...reports(150, 15, "07:00"), count(at("07:05"), { cycles: 3, total: 3 })], slow(150), {
      now: at("07:06"),
    });
    expect(readable(rested, at("06:00"))).toEqual(["60-64.5 unplanned"]);
  });

  test("is not stopped or silent while the next report is not due, and is afterwards", () => {
    const events = reports(310, 31, "07:00");
    const last = Math.max(...events.map((event) => event.at));
    const after = (seconds: number) => replay(events, slow(310), { now: last + seconds * SECOND }).pieces.at(-1)?.kind;
    expect([309, 430, 431, 610, 611].map(after)).toEqual(["available", "available", "stop", "stop", "noData"]);
  });
});

describe("a count that says since when", () => {
  const down = [...every(MINUTE_MS, at("06:00"), at("07:00"), (t) => count(t, { cycles: 6, total: 6 }))];
  const bulk = (since?: string) => count(at("09:00"), { cycles: 720, total: 720, ...(since ? { since: at(since) } : {}) });

  test("covers the time in which a bridge was down", () => {
    const { indicators, metrics, made } = onlyShift(replay([...down, bulk("07:00")], machine, { now: at("09:00") }));
    expect(indicators).toMatchObject({ availableTime: 180, noDataTime: 0, availability: 100 });
    expect(metrics).toMatchObject({ effectiveness: 101, total: 1086 });
    expect(made.unitsWithoutTime).toBe(0);
  });

  test("covers no more than its cycles take, and the rest of the time since then is a stop", () => {
    const half = { ...bulk("07:00"), cycles: 360 };
    const replayed = replay([...down, half], machine, { now: at("09:00") });
    expect(readable(replayed, at("06:00"))).toEqual(["60-120 unplanned"]);
    expect(onlyShift(replayed).indicators).toMatchObject({ availableTime: 120, noDataTime: 0 });
  });

  test("leaves the silence before that time without data", () => {
    const replayed = replay([...down, bulk("08:00")], machine, { now: at("09:00") });
    expect(onlyShift(replayed).indicators).toMatchObject({ availableTime: 120, noDataTime: 60 });
  });

  test("covers the same time if its gateway was heard before it", () => {
    const heard = [sample(at("08:59")), sample(at("09:00"))];
    const without = replay([...down, bulk("07:00")], machine, { now: at("09:00") });
    expect(replay([...down, bulk("07:00"), ...heard], machine, { now: at("09:00") }).pieces).toEqual(without.pieces);
  });

  test("covers nothing before the machine's previous count, and at most 48 h", () => {
    const early = replay([...down, bulk("06:00")], machine, { now: at("09:00") });
    expect(early.pieces).toEqual(replay([...down, bulk("07:00")], machine, { now: at("09:00") }).pieces);
    const always = settings({ standardCycleMs: HOUR_MS, shifts: [] });
    const long = count(at("00:00", 4), { cycles: 1000, since: at("00:00") });
    expect(
      replay([count(at("00:00")), long], always, { now: at("00:00", 4) }).pieces.map(({ start, kind }) => [start, kind]),
    ).toEqual([
      [at("00:00"), "noData"],
      [at("00:00", 2), "available"],
    ]);
  });

  test("covers time together with the other counts of its instant, in either order", () => {
    const good = count(at("06:10"), { cycles: 40, total: 40, since: at("06:00") });
    const bad = count(at("06:10"), { cycles: 10, total: 10, defects: 10, since: at("06:00") });
    const kinds = (events: MachineEvent[]) =>
      replay(events, machine, { now: at("06:10") }).pieces.map(({ start, kind }) => [start, kind]);
    expect(kinds([good, bad])).toEqual([[at("06:00"), "available"]]);
    expect(onlyShift(replay([good, bad], machine, { now: at("06:10") })).metrics.effectiveness).toBe(83);
  });

  test("covers all of the time if there is no standard", () => {
    const replayed = replay([...down, bulk("07:00")], { ...machine, standardCycleMs: null }, { now: at("09:00") });
    expect(onlyShift(replayed).indicators).toMatchObject({ availableTime: 180, noDataTime: 0 });
  });
});

test("units that come after a silence, without saying since when, stay in the total and are no performance", () => {
  const before = every(MINUTE_MS, at("06:00"), at("07:00"), (t) => count(t, { cycles: 6, total: 6 }));
  const after = every(MINUTE_MS, at("09:01"), at("09:30"), (t) => count(t, { cycles: 6, total: 6 }));
  const bulk = count(at("09:00"), { cycles: 720, total: 720 });
  const { metrics, made, indicators } = onlyShift(replay([...before, bulk, ...after], machine, { now: at("09:30") }));
  expect(indicators).toMatchObject({ availableTime: 90, noDataTime: 120 });
  expect(made.unitsWithoutTime).toBe(720);
  expect(metrics).toMatchObject({ total: 61 * 6 + 720 + 30 * 6, cycleSpeed: 360, minutesLostByLowSpeed: 0, effectiveness: 101 });
  // In 90 minutes, 546 units whose time is known.
  expect(metrics).toMatchObject({ averageSpeed: 364, averageCycleSpeed: 364, actualSpeed: 360 });
  // The last ten minutes of running: five before the silence, and five after it.
  const early = onlyShift(replay([...before, bulk, ...after], machine, { now: at("09:05") }));
  expect(early.metrics.actualSpeed).toBe(((5 + 4) * 6 * 60) / 10);
});

test("units that come after a silence have no time, even if the gateway or another channel is heard first", () => {
  const first = [sample(at("06:50")), count(at("07:00"), { cycles: 0, total: 0, defects: 5 })];
  const bulk = count(at("07:00"), { cycles: 720, total: 720 });
  const { made } = onlyShift(replay([count(at("06:00")), ...first, bulk], machine, { now: at("07:00") }));
  expect(made).toMatchObject({ unitsWithoutTime: 720, idealMs: 10 * SECOND });
});

test("what a machine makes in the usual time between two counts was made in it, also after a silence", () => {
  const usual = count(at("07:00"), { cycles: 12, total: 12 });
  const { made } = onlyShift(replay([count(at("06:00")), usual], machine, { now: at("07:00") }));
  expect(made).toMatchObject({ unitsWithoutTime: 0, idealMs: 130 * SECOND });
});
