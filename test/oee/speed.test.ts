import { describe, expect, test } from "vitest";
import type { MachineEvent } from "../../src/oee/events.ts";
import { isSlow, judgedTime, shortStops } from "../../src/oee/speed.ts";
import { at, count, every, MINUTE_MS, onlyShift, replay, sample, settings, shift } from "./support.ts";

const machine = settings({ commissionedAt: at("06:00"), stopAfterMs: MINUTE_MS, noDataAfterMs: null });

describe("short stops", () => {
  /** The machine runs from 06:00 on but for stops of so many minutes, each of which begins at one of these times. */
  const stopsAt = (...stops: [start: string, minutes: number][]): MachineEvent[] =>
    every(MINUTE_MS / 2, at("06:00"), at("08:00"), count).filter(({ at: time }) =>
      stops.every(([start, minutes]) => time <= at(start) || time >= at(start) + minutes * MINUTE_MS),
    );
  const shortAt = (now: number, events: readonly MachineEvent[], of = machine) =>
    shortStops(replay(events, of, { now }).pieces, now).map(({ start }) => (start - at("06:00")) / MINUTE_MS);

  test("are those that lasted under five minutes", () => {
    expect(shortAt(at("07:00"), stopsAt(["06:10", 3], ["06:20", 5], ["06:30", 4.5]))).toEqual([10, 30]);
  });

  test("count for an hour after their end", () => {
    const events = stopsAt(["06:10", 3]);
    const justBefore = at("07:13") - 1;
    expect([shortAt(at("06:13"), events), shortAt(justBefore, events), shortAt(at("07:13"), events)]).toEqual([[10], [10], []]);
  });

  test("are over: one that still lasts is none", () => {
    const running = every(MINUTE_MS / 2, at("06:00"), at("06:10"), count);
    const events = [...running, ...every(MINUTE_MS / 2, at("06:10"), at("06:13"), sample)];
    expect(shortAt(at("06:13"), events)).toEqual([]);
  });

  test("are not planned ones", () => {
    const withBreak = settings({
      ...machine,
      shifts: [shift({ breaks: [{ name: "Coffee", start: "06:10", end: "06:13", isIncludedInAvailability: true }] })],
    });
    expect(shortAt(at("07:00"), stopsAt(["06:10", 3]), withBreak)).toEqual([]);
  });
});

describe("the time by which a speed is judged", () => {
  const whole = { start: at("06:00"), end: at("07:00") };
  const { segments } = onlyShift(replay(every(MINUTE_MS / 2, at("06:00"), at("07:00"), count), machine, { now: at("07:00") }));
  const judged = (standardCycleMs: number, window = whole) =>
    judgedTime(segments, standardCycleMs, window).map(({ start, end }) => [start, end]);

  test("is the last ten minutes, or ten standard cycles where these take longer", () => {
    expect(judged(30_000)).toEqual([[at("06:50"), at("07:00")]]);
    expect(judged(2 * MINUTE_MS)).toEqual([[at("06:40"), at("07:00")]]);
  });

  test("lies in its window, and is nothing while that holds fewer than ten standard cycles", () => {
    expect(judged(30_000, { start: at("06:20"), end: at("06:26") })).toEqual([[at("06:20"), at("06:26")]]);
    expect(judged(30_000, { start: at("06:20"), end: at("06:24") })).toEqual([]);
    expect(judged(30_000, { start: at("08:00"), end: at("09:00") })).toEqual([]);
  });
});

test("a machine is slow below 80 % of its standard speed, or after more than five short stops", () => {
  const judged = [{ start: at("06:50"), end: at("07:00") }];
  expect(isSlow(judged, 16, 30_000, 0)).toBe(false);
  expect(isSlow(judged, 15.9, 30_000, 0)).toBe(true);
  expect(isSlow(judged, 20, 30_000, 5)).toBe(false);
  expect(isSlow(judged, 20, 30_000, 6)).toBe(true);
});
