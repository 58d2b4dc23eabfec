import { describe, expect, it } from "vitest";
import { reasonsOf, wallHours, withSum } from "../../../src/board/domain/wall-hours.ts";

const HOUR = 3_600_000;
const six = Date.UTC(2026, 10, 24, 6);
const hour = (index: number, total: number, target: number) => ({
  ...{ start: new Date(six + index * HOUR).toISOString(), end: new Date(six + (index + 1) * HOUR).toISOString() },
  ...{ total, defects: 0, correct: total, target },
});
const shift = (hours: number) => ({ start: six, end: six + hours * HOUR });

describe("the hours of a wall", () => {
  it("add up machines, mark the running one, and go on to the end of the shift", () => {
    const hours = wallHours([hour(0, 10, 12), hour(0, 5, 6), hour(1, 3, 4)], shift(4), six + 1.5 * HOUR);
    expect(hours.map(({ total, target, isRunning }) => [total, target, isRunning])).toEqual([
      ...[
        [15, 18, false],
        [3, 4, true],
      ],
      ...[
        [null, 0, false],
        [null, 0, false],
      ],
    ]);
    expect(hours.at(-1)?.end).toBe(six + 4 * HOUR);
  });

  it("are the last eight of a long shift, and those to come before it began", () => {
    const rows = Array.from({ length: 11 }, (_, i) => hour(i, i, 10));
    expect(wallHours(rows, shift(12), six + 10.5 * HOUR).map(({ total }) => total)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
    expect(wallHours([], shift(3), six).map(({ total }) => total)).toEqual([null, null, null]);
    expect(wallHours([hour(-1, 5, 5), hour(3, 5, 5)], shift(3), six)).toHaveLength(3);
  });
});

describe("the sum of the hours of a wall", () => {
  const hours = wallHours([hour(0, 10, 12), hour(1, 3, 4)], shift(4), six + 1.5 * HOUR);

  it("is that of the shift: the running hour has what the others lack", () => {
    expect(withSum(hours, { total: 17, target: 20 }).map(({ total, target }) => [total, target])).toEqual([
      ...[
        [10, 12],
        [7, 8],
      ],
      ...[
        [null, 0],
        [null, 0],
      ],
    ]);
  });

  it("is left alone if the shift has less, because machines have other shifts", () => {
    expect(withSum(hours, { total: 9, target: 20 })).toEqual(hours);
  });
});

describe("the reasons of an hour", () => {
  const stop = (name: string) => ({
    id: 1,
    name,
    isOpen: false,
    isBreak: false,
    generalCause: null,
    specificCause: null,
    version: 1,
  });
  const shiftOf = { id: 1, name: "", startTime: "", endTime: "" };
  const stretch = (kind: "running" | "stopped" | "unknown" | "planned" | "noData", from: number, to: number, name = "Stop") => ({
    ...{ kind, start: six + from * 60_000, end: six + to * 60_000, shift: shiftOf },
    stop: kind === "running" || kind === "noData" ? null : stop(name),
  });
  const machine = (id: number, ...stretches: ReturnType<typeof stretch>[]) => ({ id, name: "", line: null, stretches });

  it("are stops that nobody planned and time without data, of all machines together, the longest first", () => {
    const days = [
      machine(1, stretch("stopped", -10, 5, "Jam"), stretch("running", 5, 30), stretch("planned", 30, 50, "Break")),
      machine(2, stretch("unknown", 10, 20), stretch("stopped", 50, 90, "Jam"), stretch("noData", 20, 23)),
    ];
    const found = reasonsOf(days, { start: six, end: six + HOUR });
    expect(found.map(({ kind, stop: one, minutes }) => [kind, one?.name ?? null, minutes])).toEqual([
      ["stopped", "Jam", 15],
      ["unknown", "Stop", 10],
      ["noData", null, 3],
    ]);
  });

  it("leave out what took less than a minute", () => {
    expect(reasonsOf([machine(1, stretch("stopped", 0, 0.9, "Jam"))], { start: six, end: six + HOUR })).toEqual([]);
  });
});
