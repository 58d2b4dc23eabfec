import { describe, expect, it } from "vitest";
import { continued, historiesOf, minutesByKind } from "../../../src/board/domain/history.ts";
import { isoOf, now, row, rowOutsideShifts, stopWithCause, stopWithoutCause } from "./rows.ts";

const minute = 60_000;
const running = { kind: "running", start: now - 60 * minute, end: now - 10 * minute } as const;

describe("the strip of a machine", () => {
  it("has the stretches of the timeline, by machine", () => {
    const shift = { id: 1, name: "Morning", startTime: isoOf(now), endTime: isoOf(now) };
    const stop = { id: 1, name: "Stop", isOpen: false, isBreak: false, generalCause: null, specificCause: null, version: 1 };
    const stretch = (id: number, status: "A" | "N", from: number, to: number) => ({
      ...{ machine: { id, name: "" }, line: null, shift, status, stop: status === "N" ? stop : null },
      ...{ startTime: isoOf(now - from * minute), endTime: isoOf(now - to * minute) },
    });
    const found = historiesOf([stretch(1, "A", 60, 20), stretch(1, "N", 20, 5), stretch(2, "A", 60, 5)]);
    expect(found.get(1)?.map(({ kind }) => kind)).toEqual(["running", "unknown"]);
    expect([...found.keys()]).toEqual([1, 2]);
  });

  it("goes on with what the machine does now, from when that began", () => {
    const jam = row(1, { status: "N", since: isoOf(now - 25 * minute), stop: stopWithCause });
    expect(continued([running], jam, now)).toEqual([
      { kind: "running", start: now - 60 * minute, end: now - 25 * minute },
      { kind: "stopped", start: now - 25 * minute, end: now },
    ]);
    const unknown = row(1, { status: "N", since: isoOf(now - 5 * minute), stop: stopWithoutCause });
    expect(continued([running], unknown, now).at(-1)).toMatchObject({ kind: "unknown", start: now - 5 * minute });
    expect(continued([], row(1, { isSlow: true, since: isoOf(now - minute) }), now)).toEqual([
      { kind: "running", start: now - minute, end: now },
    ]);
  });

  it("ends with its shift", () => {
    expect(continued([running], rowOutsideShifts(1), now)).toEqual([running]);
  });

  it("says the minutes of its last eight hours", () => {
    const old = { kind: "stopped", start: now - 9 * 60 * minute, end: now - 7 * 60 * minute } as const;
    expect([...minutesByKind([old, running], now)]).toEqual([
      ["stopped", 60],
      ["running", 50],
    ]);
  });
});
