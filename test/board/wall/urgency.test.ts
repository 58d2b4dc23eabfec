import { describe, expect, it } from "vitest";
import { byUrgency, isOverrun, isSound, lacksCause } from "../../../src/board/domain/urgency.ts";
import { isoOf, now, row, rowOutsideShifts, stopWithCause, stopWithoutCause } from "./rows.ts";

const ids = (rows: ReturnType<typeof byUrgency>) => rows.map(({ machine }) => machine.id);

describe("the order of machines on a wall", () => {
  it("has those that need someone first", () => {
    const rows = [
      rowOutsideShifts(1),
      row(2, { status: "O" }),
      row(3, { status: "P", plannedUntil: isoOf(now + 1000) }),
      row(4),
      row(5, { isSlow: true }),
      row(6, { status: "P", plannedUntil: isoOf(now) }),
      row(7, { status: "D" }),
      row(8, { status: "N", stop: stopWithCause }),
      row(9, { status: "N", stop: stopWithoutCause }),
      row(10, { helpCall: { id: 1, since: isoOf(now), message: null, calledBy: { id: 1, name: null } } }),
      row(11, { status: null, isReachable: false }),
    ];
    expect(ids(byUrgency(rows, now))).toEqual([10, 9, 8, 7, 11, 6, 5, 4, 3, 2, 1]);
  });

  it("can be told of rows whose members can be read", () => {
    expect([row(1), rowOutsideShifts(2), row(3, { isReachable: false, asOf: null })].map((one) => isSound(one, now))).toEqual([
      true,
      true,
      true,
    ]);
    const broken = row(4, { status: "N" });
    Reflect.deleteProperty(broken, "stop");
    expect(isSound(broken, now)).toBe(false);
  });

  it("has the longest stop first, and running machines in the order of the plant", () => {
    const stopped = (id: number, minutes: number) =>
      row(id, { status: "N", stop: stopWithoutCause, since: isoOf(now - minutes * 60_000) });
    const running = (id: number, minutes: number) => row(id, { since: isoOf(now - minutes * 60_000) });
    const unknown = row(5, { status: "N", stop: stopWithoutCause, since: null });
    expect(ids(byUrgency([running(3, 1), stopped(1, 5), stopped(2, 60), running(4, 90), unknown], now))).toEqual([5, 2, 1, 3, 4]);
  });
});

describe("a stop", () => {
  it("has no cause until someone gives it a cause or a name", () => {
    const of = (stop: typeof stopWithCause | typeof stopWithoutCause) => lacksCause({ status: "N", stop });
    expect([of(stopWithoutCause), of(stopWithCause), of({ ...stopWithoutCause, name: "Waiting for the crane" })]).toEqual([
      ...[true, false, false],
    ]);
    expect(lacksCause({ status: "P", stop: stopWithoutCause })).toBe(false);
  });

  it("is overdue after the end of its break", () => {
    expect(isOverrun({ status: "P", plannedUntil: isoOf(now) }, now)).toBe(true);
    expect(isOverrun({ status: "O", plannedUntil: isoOf(now - 1) }, now)).toBe(true);
    expect(isOverrun({ status: "P", plannedUntil: isoOf(now + 1) }, now)).toBe(false);
    expect(isOverrun({ status: "P", plannedUntil: null }, now)).toBe(false);
    expect(isOverrun({ status: "N", plannedUntil: isoOf(now - 1) }, now)).toBe(false);
  });
});
